import { Injectable } from '@nestjs/common';
import { SandboxOperator, SandboxSeller } from '../../../purchases/sandbox-operator.service';
import { type AirtimeItem, SellsAirtime } from '../../airtime.provider';

/** Asked first in test mode. */
@Injectable()
@SellsAirtime({ name: 'sandbox', mode: 'test' })
export class SandboxAirtime extends SandboxSeller<AirtimeItem> {
  constructor(operator: SandboxOperator) {
    super('sandbox', operator);
  }
}

/** Asked when the first one refuses. */
@Injectable()
@SellsAirtime({ name: 'sandbox_backup', mode: 'test' })
export class SandboxBackupAirtime extends SandboxSeller<AirtimeItem> {
  constructor(operator: SandboxOperator) {
    super('sandbox_backup', operator);
  }
}
