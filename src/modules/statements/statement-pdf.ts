import { encodeId } from '../../core/http/ids';
import { type Currency, decimalText } from '../../core/money/money';
import { describeLine, StatementControl } from './statement-text';
import type { Statement } from './statements.service';
import { localTime } from '../../core/text/local-time';
import { printable } from '../../core/text/printable';

/** Whose wallet it is, as both are called today. */
export interface StatementOwner {
  readonly account: string;
  readonly label: string | null;
}

/** In points. A4 on its side. */
const MARGIN = 36;
const GAP = 6;
const LINE_SIZE = 8;
const FOOT = 6;
const INK = '#1a1a1a';
const FAINT = '#666666';
const RULE = '#bbbbbb';

const COLUMNS = [
  { title: 'Time', width: 88 },
  { title: 'Description', width: 168 },
  { title: 'Counterparty or recipient', width: 150 },
  { title: 'Reference', width: 120 },
  { title: 'In', width: 80, align: 'right' },
  { title: 'Out', width: 80, align: 'right' },
  { title: 'Balance', width: 83, align: 'right' },
] as const;

/**
 * A statement for people, made while its lines are read: a page is sent when the next one begins. The same statement
 * is the same bytes. Holds the letters of Western Europe; of others the bare letter, or a question mark.
 */
export async function* statementPdf(statement: Statement, owner: StatementOwner): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  // Large, and few processes ever draw one.
  const { default: PdfDocument } = await import('pdfkit');
  const sheet = new Sheet(statement, owner, PdfDocument);
  sheet.document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => sheet.document.on('end', resolve).on('error', reject));
  const control = new StatementControl(statement);
  sheet.begin();
  for await (const line of control.lines()) {
    sheet.row([
      localTime(line.at, statement.timeZone),
      describeLine(line),
      line.recipient ?? (line.counterpartyId === null ? '' : encodeId('wal', line.counterpartyId)),
      line.reference ?? '',
      line.in === 0n ? '' : sheet.money(line.in),
      line.out === 0n ? '' : sheet.money(line.out),
      sheet.money(line.balance),
    ]);
    yield* chunks.splice(0);
  }
  sheet.end(control);
  await ended;
  yield* chunks.splice(0);
}

class Sheet {
  readonly document: PDFKit.PDFDocument;
  private readonly right: number;
  private readonly bottom: number;
  private page = 0;

  constructor(
    private readonly statement: Statement,
    private readonly owner: StatementOwner,
    PdfDocument: new (options: PDFKit.PDFDocumentOptions) => PDFKit.PDFDocument,
  ) {
    const title = `Statement of ${encodeId('wal', statement.walletId)}`;
    this.document = new PdfDocument({
      size: 'A4',
      layout: 'landscape',
      margin: MARGIN,
      autoFirstPage: false,
      info: {
        Title: title,
        Author: printable(owner.account),
        // Said by the statement, not by the clock: the same statement is the same file, down to its id.
        CreationDate: statement.to,
      },
    });
    this.document.on('pageAdded', () => this.head());
    this.right = 841.89 - MARGIN;
    this.bottom = 595.28 - MARGIN - FOOT;
  }

  money = (amount: bigint): string => decimalText({ amount, currency: this.statement.currency }, ',');

  begin(): void {
    this.document.addPage();
  }

  row(cells: readonly string[], font: 'Helvetica' | 'Helvetica-Bold' = 'Helvetica'): void {
    const texts = cells.map(printable);
    this.document.font(font).fontSize(LINE_SIZE);
    const height = Math.max(
      ...texts.map((text, i) => this.document.heightOfString(text || ' ', { width: COLUMNS[i]!.width - GAP })),
    );
    if (this.document.y + height > this.bottom) {
      this.document.addPage();
      this.document.font(font).fontSize(LINE_SIZE);
    }
    this.cells(texts, height);
  }

  /** Totals, closing balance and control hash, together on one page. */
  end(control: StatementControl): void {
    const { closing, to, timeZone } = this.statement;
    if (this.document.y + 90 > this.bottom) this.document.addPage();
    const { totals } = control;
    this.row(['', 'Totals', '', '', this.money(totals.in), this.money(totals.out), ''], 'Helvetica-Bold');
    this.row([localTime(to, timeZone), 'Closing balance', '', '', '', '', this.money(closing)], 'Helvetica-Bold');
    this.document.moveDown(1).fillColor(FAINT).font('Helvetica').fontSize(LINE_SIZE);
    this.document.text(`Control hash (SHA-256)  ${control.digest()}`, MARGIN, this.document.y);
    this.document.text('Balances are available and held money together. Amounts include fees.', MARGIN);
    this.document.end();
  }

  private head(): void {
    this.page++;
    const { document, statement, owner } = this;
    const { currency, from, to, timeZone, livemode, opening, closing } = statement;
    const mode = livemode ? '' : '   TEST MODE: no real money';
    document.fillColor(INK).font('Helvetica-Bold').fontSize(13);
    document.text(`Wallet statement${mode}`, MARGIN, MARGIN);
    document.font('Helvetica').fontSize(9);
    document.text(`Page ${this.page}`, MARGIN, MARGIN + 2, { width: this.right - MARGIN, align: 'right' });
    document.text(printable(owner.account), MARGIN, MARGIN + 20);
    const label = owner.label === null ? '' : `, ${printable(owner.label)}`;
    document.text(`${encodeId('wal', statement.walletId)}${label}, ${currency}`, MARGIN);
    document.text(`${localTime(from, timeZone)} to before ${localTime(to, timeZone)}, time of ${timeZone}`, MARGIN);
    document.moveDown(0.4);
    if (this.page === 1)
      document
        .font('Helvetica-Bold')
        .text(`Opening balance ${this.named(opening)}     Closing balance ${this.named(closing)}`, MARGIN)
        .moveDown(0.4);
    document.fillColor(FAINT).font('Helvetica-Bold').fontSize(LINE_SIZE);
    this.cells(
      COLUMNS.map(({ title }) => title),
      document.currentLineHeight(),
    );
    document.fillColor(INK).font('Helvetica').fontSize(LINE_SIZE);
    if (this.page === 1) this.row([localTime(from, timeZone), 'Opening balance', '', '', '', '', this.money(opening)]);
  }

  private cells(texts: readonly string[], height: number): void {
    const { document } = this;
    const y = document.y;
    let x = MARGIN;
    for (const [i, text] of texts.entries()) {
      const column: { width: number; align?: 'right' } = COLUMNS[i]!;
      if (text !== '') document.text(text, x, y, { width: column.width - GAP, align: column.align ?? 'left' });
      x += column.width;
    }
    document.y = y + height + 3;
    document.x = MARGIN;
    this.line();
    document.y += 3;
  }

  private line(): void {
    const { document } = this;
    document.moveTo(MARGIN, document.y).lineTo(this.right, document.y).lineWidth(0.4).strokeColor(RULE).stroke();
  }

  private named(amount: bigint): string {
    const currency: Currency = this.statement.currency;
    return `${currency} ${this.money(amount)}`;
  }
}
