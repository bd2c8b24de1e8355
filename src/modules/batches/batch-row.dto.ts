import { hash } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { FieldRefused } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { ValidationPipe } from '../../core/http/validation.pipe';
import type { RequestClaim } from '../../core/idempotency/claim';
import { BuyAirtimeDto, toWantedAirtime } from '../airtime/airtime.dto';
import type { WantedAirtime } from '../airtime/airtime.service';
import type { WantedBill } from '../bills/bill-order';
import { PayBillDto, toWantedBill } from '../bills/bills.dto';
import { BuyDataDto, toWantedData } from '../data/data.dto';
import type { WantedData } from '../data/data.service';
import { CreatePayoutDto, toWantedPayout, type WantedPayout } from '../payouts/payout.dto';
import type { PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import { CreateTransferDto, toWantedTransfer } from '../wallets/transfer.dto';
import type { WantedTransfer } from '../wallets/transfers.service';
import type { Batch, BatchItem } from './batch.entity';

/** An order as the service of its kind takes it. */
export interface RowOrders {
  readonly airtime: WantedAirtime;
  readonly data: WantedData;
  readonly bill: WantedBill;
  readonly transfer: WantedTransfer;
  readonly payout: WantedPayout;
}

/** How a kind of row is read: the body of its route, and the field that names the paying wallet. */
interface RowForm<Dto extends object, Order> {
  readonly dto: Type<Dto>;
  readonly payer: keyof Dto & string;
  readonly order: (dto: Dto, terms: PurchaseTermsOfRequest) => Order;
}

const form = <Dto extends object, Order>(form: RowForm<Dto, Order>): RowForm<Dto, Order> => form;

const FORMS = {
  airtime: form({ dto: BuyAirtimeDto, payer: 'wallet_id', order: toWantedAirtime }),
  data: form({ dto: BuyDataDto, payer: 'wallet_id', order: toWantedData }),
  bill: form({ dto: PayBillDto, payer: 'wallet_id', order: toWantedBill }),
  transfer: form({ dto: CreateTransferDto, payer: 'from_wallet', order: (dto) => toWantedTransfer(dto) }),
  payout: form({ dto: CreatePayoutDto, payer: 'wallet_id', order: toWantedPayout }),
} satisfies { [Kind in keyof RowOrders]: { order: (dto: never, terms: PurchaseTermsOfRequest) => RowOrders[Kind] } };

/** So long the turn of a batch waits for the outcome of a row; later it is found out. */
const WAIT_MS = 5_000;

const pipe = new ValidationPipe();

/** By what a row is known again, whoever carries it out and however often: by its batch and its number. */
export const claimOfRow = (batchId: string, number: number): RequestClaim => ({
  key: `${encodeId('bat', batchId)}/${number}`,
  fingerprint: hash('sha256', `${batchId}/${number}`, 'buffer'),
});

/** JSON pointer of a row. */
export const pointerOf = (number: number): string => `/items/${number}`;

/** What a row orders. Throws `InvalidRequest`, `FieldRefused`, with pointers into the row. */
export function readRow<Kind extends keyof RowOrders>(
  { kind, walletId, columns, id }: Pick<Batch, 'walletId' | 'columns' | 'id'> & { readonly kind: Kind },
  { body, number }: Pick<BatchItem, 'body' | 'number'>,
): RowOrders[Kind] {
  const { dto: metatype, payer, order } = FORMS[kind] as unknown as RowForm<RowDto, RowOrders[Kind]>;
  const row = columns === null ? body : typed(body);
  const paid = walletId === null ? {} : { [payer]: encodeId('wal', walletId) };
  const dto = pipe.transform({ ...paid, ...withoutNulls(row) }, { type: 'body', metatype }) as RowDto;
  if (dto.reference === undefined || dto.reference === null)
    throw new FieldRefused('/reference', '/reference is required: a row of a batch is known by it for ever.');
  for (const field of ['dry_run', 'allow_duplicate'] as const)
    if (dto[field]) throw new FieldRefused(`/${field}`, `/${field} is not said of a row of a batch.`);
  return order(dto, { claim: claimOfRow(id, number), preferredWait: null, waitMs: WAIT_MS, scenario: null });
}

interface RowDto {
  readonly reference?: string | null;
  readonly dry_run?: boolean | null;
  readonly allow_duplicate?: boolean | null;
}

const withoutNulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

const NUMBERS: ReadonlySet<string> = new Set(['amount', 'quantity']);
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };
const WHOLE = /^\d{1,15}$/;

/** A row of CSV, whose cells are texts, as JSON would have it. What cannot be read is left for the rules to refuse. */
const typed = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => {
      if (name === 'convert') return [name, FLAGS[cell as string] ?? cell];
      return [name, NUMBERS.has(name) && WHOLE.test(cell as string) ? Number(cell) : cell];
    }),
  );
