import { Injectable } from '@nestjs/common';
import { TakesPayments } from '../../payments.provider';
import type {
  CallbackRequest,
  CallbackResult,
  Gateway,
  GatewayOrder,
  Instruction,
  QueryResult,
  StartResult,
} from '../../payments.types';
import { SandboxBank } from './sandbox-bank.service';

/** What all sandbox gateways do: a person decides, on a page of this service. */
abstract class SandboxGateway implements Gateway {
  constructor(
    private readonly name: string,
    protected readonly bank: SandboxBank,
  ) {}

  async start(order: GatewayOrder): Promise<StartResult> {
    const gatewayReference = await this.bank.open(this.name, order);
    const pageUrl = `${new URL(order.returnUrl).pathname.replace(/\/return$/, '')}/sandbox`;
    return { outcome: 'started', gatewayReference, pageUrl, instructions: this.instructions(order) };
  }

  query(order: GatewayOrder): Promise<QueryResult> {
    return this.bank.query(order);
  }

  verify(callback: CallbackRequest): CallbackResult {
    return this.bank.verify(this.name, callback);
  }

  protected instructions(_order: GatewayOrder): Instruction[] {
    return [];
  }
}

@Injectable()
@TakesPayments({ name: 'sandbox_card', label: 'Card', mode: 'test' })
export class SandboxCard extends SandboxGateway {
  constructor(bank: SandboxBank) {
    super('sandbox_card', bank);
  }
}

/** Paid outside of any page: the payer gets an account number. */
@Injectable()
@TakesPayments({ name: 'sandbox_bank_transfer', label: 'Bank transfer', mode: 'test' })
export class SandboxBankTransfer extends SandboxGateway {
  constructor(bank: SandboxBank) {
    super('sandbox_bank_transfer', bank);
  }

  protected override instructions({ reference }: GatewayOrder): Instruction[] {
    return [
      { label: 'Bank', value: 'Sandbox Bank' },
      { label: 'Account number', value: '0000000000' },
      { label: 'Reference', value: reference.slice(0, 12) },
    ];
  }
}
