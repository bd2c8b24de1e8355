import { Injectable } from '@nestjs/common';
import { DomainError, ServiceUnavailable } from '../errors/domain-error';
import { type Cell, Cells } from './cells';

/**
 * Tables that are one for all cells: written in the control cell, copied to every other by PostgreSQL, read where one
 * is. Whoever writes them asks `ControlCell` first; a migration leaves rows of copies alone (`NOT is_control`), or the
 * same rows would come twice.
 */
export const GLOBAL_TABLES = [
  'cells',
  'networks',
  'data_plans',
  'catalogue_syncs',
  'bill_categories',
  'billers',
  'biller_items',
  'banks',
  'fees',
  'provider_routes',
  'kyc_tier_limits',
  'fx_rates',
  'users',
  'passkeys',
  'announcements',
  'incidents',
  'incident_updates',
] as const;

class OnlyInControlCell extends DomainError {
  constructor(control: string, here: string) {
    super({
      code: 'forbidden',
      kind: 'forbidden',
      title: 'Forbidden',
      detail: `This is the same in all cells and changed in the control cell, ${control}; this is the cell ${here}.`,
    });
  }
}

/** Where what is one for all cells is written. With one cell that is here, and nothing is asked. */
@Injectable()
export class ControlCell {
  constructor(private readonly cells: Cells) {}

  get isHere(): boolean {
    return this.cells.here === null || this.cells.here.isControl;
  }

  /** Whether what is written here is copied to others. */
  get hasOthers(): boolean {
    return this.cells.here !== null;
  }

  /** Throws `ServiceUnavailable` when the table of cells names none. */
  require(): Cell {
    const control = this.cells.all.find(({ isControl }) => isControl);
    if (control === undefined) throw new ServiceUnavailable('No cell is known to control the others.');
    return control;
  }

  /** Whoever is about to write what is global goes on in the control cell only. Throws `OnlyInControlCell`. */
  requireHere(): void {
    if (!this.isHere) throw new OnlyInControlCell(this.require().name, this.cells.here!.name);
  }
}
