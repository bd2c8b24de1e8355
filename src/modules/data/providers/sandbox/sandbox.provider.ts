import { Injectable } from '@nestjs/common';
import { SandboxOperator, SandboxSeller } from '../../../purchases/sandbox-operator.service';
import { type DataItem, SellsData } from '../../data.provider';

/** Asked first in test mode. */
@Injectable()
@SellsData({ name: 'sandbox', mode: 'test' })
export class SandboxData extends SandboxSeller<DataItem> {
  constructor(operator: SandboxOperator) {
    super('sandbox', operator);
  }
}

/** Asked when the first one refuses. */
@Injectable()
@SellsData({ name: 'sandbox_backup', mode: 'test' })
export class SandboxBackupData extends SandboxSeller<DataItem> {
  constructor(operator: SandboxOperator) {
    super('sandbox_backup', operator);
  }
}
