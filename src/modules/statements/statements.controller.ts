import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { csvFile } from '../../core/http/csv';
import { CsvNumber } from '../../core/text/csv';
import { decodeId, encodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { PageQuery } from '../../core/http/query-fields';
import { Scope } from '../../core/http/route-markers';
import { decimalText } from '../../core/money/money';
import { AccountsService } from '../accounts/accounts.service';
import { WalletsService } from '../wallets/wallets.service';
import { WalletDayDto, WalletDayListDto } from './day.dto';
import { DaysService } from './days.service';
import { localTime } from '../../core/text/local-time';
import { StatementDto, StatementQuery } from './statement.dto';
import { statementPdf } from './statement-pdf';
import { StatementControl, statementJson, toLineDto } from './statement-text';
import { type Statement, StatementsService } from './statements.service';

@ApiTags('Wallets')
@Controller('v4/wallets')
export class StatementsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly statements: StatementsService,
    private readonly accounts: AccountsService,
    private readonly closedDays: DaysService,
    private readonly pages: Pages,
  ) {}

  // What transactions were about stands in it: whoever may see wallets only, may not see that.
  @Get(':id/statement')
  @Scope('transactions:read')
  @ApiOperation({
    operationId: 'get_wallet_statement',
    summary: 'Fetch the statement of a wallet for a period, as JSON, CSV or PDF',
  })
  @ApiOkResponse({
    type: StatementDto,
    description: 'The whole period; with `format=csv` as text/csv, with `format=pdf` as application/pdf.',
  })
  async statement(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: StatementQuery,
  ): Promise<StreamableFile> {
    const wallet = await this.wallets.require(caller, decodeId('wal', id));
    const statement = await this.statements.of(wallet, query);
    if (query.format === 'csv') return csvFile(nameOf(statement, 'csv'), COLUMNS, csvRows(statement), { bom: true });
    if (query.format !== 'pdf')
      return new StreamableFile(Readable.from(statementJson(statement)), { type: 'application/json; charset=utf-8' });
    const { name: account } = await this.accounts.require(caller.accountId);
    return new StreamableFile(Readable.from(statementPdf(statement, { account, label: wallet.label })), {
      type: 'application/pdf',
      disposition: `attachment; filename="${nameOf(statement, 'pdf')}"`,
    });
  }

  @Get(':id/days')
  @Scope('wallets:read')
  @ApiOperation({ operationId: 'list_wallet_days', summary: 'List the closed days of a wallet, newest first' })
  @ApiOkResponse({ type: WalletDayListDto })
  async days(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<List<WalletDayDto>> {
    const wallet = await this.wallets.require(caller, decodeId('wal', id));
    const page = this.pages.open(caller, `days:${wallet.id}`, query);
    const rows = await this.closedDays.list(wallet, page.after?.[0] ?? null, page.take);
    return page.of(rows, WalletDayDto.of, ({ date }) => [date]);
  }
}

const nameOf = ({ walletId, from, to, timeZone }: Statement, kind: 'csv' | 'pdf'): string => {
  // The last day that it has something of.
  const [first, last] = [from, new Date(to.getTime() - 1)].map((at) => localTime(at, timeZone).slice(0, 10));
  return `${encodeId('wal', walletId)}-${first}-${last}.${kind}`;
};

const COLUMNS = [
  'time',
  'description',
  'counterparty',
  'recipient',
  'reference',
  'in',
  'out',
  'balance',
  'currency',
  'transaction_id',
];

/** Times by the clocks of the account, amounts with their decimals: a spreadsheet takes both as they are. */
async function* csvRows(statement: Statement): AsyncGenerator<object> {
  const { currency, timeZone, from, to, opening, closing } = statement;
  const money = (amount: bigint): CsvNumber => new CsvNumber(decimalText({ amount, currency }));
  const control = new StatementControl(statement);
  yield { time: localTime(from, timeZone), description: 'Opening balance', balance: money(opening), currency };
  for await (const line of control.lines()) {
    yield {
      ...toLineDto(line),
      time: localTime(line.at, timeZone),
      in: line.in === 0n ? '' : money(line.in),
      out: line.out === 0n ? '' : money(line.out),
      balance: money(line.balance),
      currency,
    };
  }
  yield { time: localTime(to, timeZone), description: 'Closing balance', balance: money(closing), currency };
  yield { description: 'Control hash (SHA-256)', reference: control.digest() };
}
