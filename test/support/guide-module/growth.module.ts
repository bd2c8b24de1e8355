import { Module } from '@nestjs/common';
import { AirtimeModule } from '../../../src/modules/airtime/airtime.module';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';

/** What the growth team adds to the service. */
@Module({ imports: [AirtimeModule], controllers: [ContactsController], providers: [ContactsService] })
export class GrowthModule {}
