import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { CustomerDto } from './customer.dto';
import { CustomersService } from './customers.service';

@Injectable()
export class CustomerResources {
  constructor(private readonly customers: CustomersService) {}

  @Presents('cus', 'cards:read')
  async customer(viewer: Viewer, id: string): Promise<CustomerDto> {
    return CustomerDto.of(await this.customers.require(viewer, id));
  }
}
