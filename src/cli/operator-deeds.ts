import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { AuditService } from '../modules/dashboard-api/audit.service';
import type { DukaCommand } from './commands';
import { name } from './option-values';

/** Who orders something at the command line, and why. */
export interface Orderer {
  readonly person: string;
  readonly reason?: string;
}

interface OperatorDeed extends Orderer {
  /** Account uuid. */
  readonly accountId: string;
  readonly action: string;
  /** Public id of what it was done to. */
  readonly target: string;
  readonly detail?: object;
}

/** Options of a command that changes an account: they go to its audit log. */
export const asOperator = (command: DukaCommand): DukaCommand =>
  command.option('--person <name>', 'who orders it: goes to the audit log', name, userInfo().username).option('--reason <text>', 'why: goes to the audit log', name);

export function noteDeed(app: INestApplicationContext, { accountId, action, target, person, reason = '', detail }: OperatorDeed): Promise<void> {
  return app.get(AuditService, { strict: false }).record({ accountId, userId: null, actor: `operator ${person}`, action, target, ip: null, detail: { reason, ...detail } });
}
