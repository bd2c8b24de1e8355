import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BeneficiariesModule } from '../beneficiaries/beneficiaries.module';
import { Network } from './network.entity';
import { PhoneController } from './phone.controller';
import { PhoneService } from './phone.service';

/** Phone numbers and the mobile networks whose they are: for whatever is sold to a number. */
@Module({
  imports: [TypeOrmModule.forFeature([Network]), BeneficiariesModule],
  controllers: [PhoneController],
  providers: [PhoneService],
  exports: [PhoneService],
})
export class PhonesModule {}
