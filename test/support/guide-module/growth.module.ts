import { Module } from '@nestjs/common';
import { PhonesModule } from '../../../src/modules/phones/phones.module';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';

/** What the growth team adds to the service. */
@Module({ imports: [PhonesModule], controllers: [ContactsController], providers: [ContactsService] })
export class GrowthModule {}
