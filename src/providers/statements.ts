import { Injectable } from '@nestjs/common';
import type { Currency } from '../core/money/money';

/** Of whose books, and which. `from` counts, `to` does not. */
export interface BooksQuestion {
  /** As it stands in routes. */
  readonly company: string;
  readonly currency: Currency;
  readonly from: Date;
  readonly to: Date;
}

/** A movement of our money at a live company, as the books have it. */
export interface BookedLine {
  /** The first is ours; by the others it may be called in their statement. */
  readonly names: readonly [string, ...string[]];
  /** The transaction (`txn_…`), where there is one. */
  readonly transaction: string | null;
  /** Minor units that our money there went down by; negative: up. */
  readonly amount: bigint;
}

type Books = (question: BooksQuestion) => Promise<readonly BookedLine[]>;

/** What all modules booked at a company, for whoever compares it with the company's statement. */
@Injectable()
export class Statements {
  private readonly all: Books[] = [];

  /** Called once, at the start, by each module that moves money at companies. */
  include(books: Books): void {
    this.all.push(books);
  }

  async list(question: BooksQuestion): Promise<BookedLine[]> {
    return (await Promise.all(this.all.map((books) => books(question)))).flat();
  }
}
