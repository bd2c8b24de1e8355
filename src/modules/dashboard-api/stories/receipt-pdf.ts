import { printable } from '../../../core/text/printable';
import type { Receipt } from './receipt';

/** In points. */
const MARGIN = 54;
const NAME_WIDTH = 130;
const INK = '#1a1a1a';
const FAINT = '#666666';
const RULE = '#bbbbbb';

/** A receipt for people, on one page. `secrets`: what was revealed for it. The same receipt is the same bytes. */
export async function receiptPdf(receipt: Receipt, secrets: readonly Receipt['lines'][number][] = []): Promise<Buffer> {
  // Large, and few processes ever draw one.
  const { default: PdfDocument } = await import('pdfkit');
  const { id, account, livemode, title, lines } = receipt;
  const document = new PdfDocument({
    size: 'A5',
    margin: MARGIN,
    info: { Title: `Receipt ${id}`, Author: printable(account), CreationDate: new Date(0) },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<Buffer>((resolve, reject) =>
    document.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject),
  );
  document.fillColor(INK).font('Helvetica-Bold').fontSize(15).text(printable(account));
  document.fillColor(FAINT).font('Helvetica').fontSize(9);
  document.text(`Receipt${livemode ? '' : '   TEST MODE: no real money'}`);
  document.moveDown(1).fillColor(INK).font('Helvetica-Bold').fontSize(12).text(printable(title));
  document.moveDown(0.6);
  for (const line of lines) row(document, line, { size: 9, font: 'Helvetica' });
  for (const line of secrets) row(document, line, { size: 14, font: 'Courier-Bold' });
  document.end();
  return ended;
}

interface Look {
  readonly size: number;
  readonly font: 'Helvetica' | 'Courier-Bold';
}

function row(document: PDFKit.PDFDocument, { name, value }: Receipt['lines'][number], { size, font }: Look): void {
  const y = document.y;
  document.fillColor(FAINT).font('Helvetica').fontSize(9).text(printable(name), MARGIN, y, { width: NAME_WIDTH });
  document.fillColor(INK).font(font).fontSize(size);
  document.text(printable(value), MARGIN + NAME_WIDTH, y, { width: document.page.width - 2 * MARGIN - NAME_WIDTH });
  document.moveDown(0.4);
  const right = document.page.width - MARGIN;
  document.moveTo(MARGIN, document.y).lineTo(right, document.y).lineWidth(0.4).strokeColor(RULE).stroke();
  document.y += 4;
}
