import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work';

/** What waits for times of the account's clock. */
export interface Waiting {
  readonly table: string;
  readonly columns: readonly string[];
  /** Which rows; all by default. `$2` is how far the clock was ahead, as text of an interval. */
  readonly where?: string;
}

/** What goes back with a test clock that is reset, without the clock knowing the modules. */
@Injectable()
export class Rewinds {
  private readonly statements: string[] = [];

  /**
   * Called once by each module for each table in which something waits. The rows are the same to their account: no new
   * version.
   */
  include({ table, columns, where = 'true' }: Waiting): void {
    const back = columns.map((column) => `${column} = ${column} - $2::interval`).join(', ');
    this.statements.push(`UPDATE ${table} SET ${back} WHERE account_id = $1 AND NOT livemode AND (${where})`);
  }

  /** Everything has as long to wait as before. */
  async rewind(tx: Tx, accountId: string, ms: number): Promise<void> {
    for (const statement of this.statements) await tx.query(statement, [accountId, `${ms} milliseconds`]);
  }
}
