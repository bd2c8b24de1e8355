import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomerAnonymizing } from './customer-anonymizing.service';
import { Customer } from './customer.entity';
import { CustomerResources } from './customer-resources.service';
import { CustomersController } from './customers.controller';
import { CustomersService } from './customers.service';

/** Cardholders. */
@Module({
  imports: [TypeOrmModule.forFeature([Customer])],
  controllers: [CustomersController],
  providers: [CustomerAnonymizing, CustomersService, CustomerResources],
  exports: [CustomerAnonymizing, CustomersService],
})
export class CustomersModule {}
