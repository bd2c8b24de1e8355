import { DataSource } from 'typeorm';
import { passesLuhn } from '../src/core/text/luhn';
import { expectProblem } from './support/contract';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';

let duka: Duka;
let owner: CardOwner;
let card: any;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  owner = await CardOwner.of(duka);
  card = await owner.card();
});

/** The link as a browser opens it: at this process, without a key. */
async function open(url: string, method = 'GET') {
  const path = new URL(url).pathname;
  const response = await fetch(duka.url + path, { method });
  const text = await response.text();
  const isJson = text !== '' && /json/.test(response.headers.get('content-type') ?? '');
  const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  // A page for people, and no part of the interface: only what it refuses is a document.
  if (answer.status >= 400) expectProblem(path, answer, method);
  return answer;
}

const reveal = async (id = card.id) => (await owner.act(id, 'reveal')).body;
const shownIn = (html: string) => ({
  number: /<dd>([\d ]{19})<\/dd>/.exec(html)![1]!.replaceAll(' ', ''),
  cvv: /<dd>(\d{3})<\/dd>/.exec(html)![1]!,
});

it('shows number, expiry and CVV once', async () => {
  const { status, body } = await owner.act(card.id, 'reveal');
  expect([status, body.object, body.card_id]).toEqual([201, 'card_reveal', card.id]);
  const page = await open(body.url);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const { number } = shownIn(page.body);
  expect([passesLuhn(number), number.slice(0, 6), number.slice(-4)]).toEqual([true, '400000', card.last4]);
  expect(page.body).toContain(`${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`);
  const second = await open(body.url);
  expect([second.status, second.body.code]).toEqual([410, 'reveal_gone']);
});

it('shows the same card the same number each time, and no two the same', async () => {
  const [first, again] = [
    shownIn((await open((await reveal()).url)).body),
    shownIn((await open((await reveal()).url)).body),
  ];
  expect(again).toEqual(first);
  const other = await owner.card({ brand: 'mastercard' });
  const { number } = shownIn((await open((await reveal(other.id)).url)).body);
  expect([number.startsWith('520000'), number === first.number]).toEqual([true, false]);
});

it('shows nothing a minute later', async () => {
  const { url, expires_at: at, created_at: made } = await reveal();
  expect(Date.parse(at) - Date.parse(made)).toBeLessThan(61_000);
  await owner.advance(60);
  expect((await open(url)).body.code).toBe('reveal_gone');
});

it('is opened by one of ten at once', async () => {
  const { url } = await reveal();
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(url)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 410),
  ]);
});

it('is not used up by a HEAD', async () => {
  const { url } = await reveal();
  expect((await open(url, 'HEAD')).status).toBe(200);
  expect((await open(url)).status).toBe(200);
  expect((await open(url, 'HEAD')).status).toBe(410);
});

it('tells a wrong link from a used one by nothing', async () => {
  const { body: wrong, status } = await open('http://x/cards/reveal/nonsense');
  const { url } = await reveal();
  await open(url);
  const { body: used } = await open(url);
  expect(status).toBe(410);
  expect({ ...wrong, request_id: 0 }).toEqual({ ...used, request_id: 0 });
});

it('asks for an active card and a key that may', async () => {
  const reader = duka.api(await duka.key({ accountId: owner.accountId, scopes: ['cards:read', 'cards:write'] }));
  expect((await reader.post(`/v4/cards/${card.id}/reveal`)).body.code).toBe('insufficient_scope');
  const { url } = await reveal();
  await owner.act(card.id, 'freeze');
  expect((await owner.act(card.id, 'reveal')).body.code).toBe('card_not_active');
  expect((await open(url)).body.code).toBe('card_not_active');
});

it('is not used up while the card is frozen', async () => {
  const { url } = await reveal();
  await owner.act(card.id, 'freeze');
  expect((await open(url)).body.code).toBe('card_not_active');
  await owner.act(card.id, 'unfreeze');
  expect((await open(url)).status).toBe(200);
  await owner.act(card.id, 'freeze');
  expect((await open(url)).body.code).toBe('reveal_gone');
});

it('leaves who asked and who looked, and no number anywhere in the database', async () => {
  const { url } = await reveal();
  const { number, cvv } = shownIn((await open(url)).body);
  const db = duka.app.get(DataSource);
  const [row] = await db.query('SELECT * FROM card_reveals WHERE used_at IS NOT NULL ORDER BY id DESC LIMIT 1');
  expect(row).toMatchObject({
    key_id: expect.any(String),
    request_id: expect.any(String),
    used_from: expect.stringContaining('127.0.0.1'),
  });
  const tables: { name: string }[] = await db.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'schema_migrations'`,
  );
  for (const { name } of tables) {
    const found = await duka.asOwner(`SELECT 1 FROM "${name}" t WHERE t::text LIKE $1 LIMIT 1`, [`%${number}%`]);
    expect([name, found]).toEqual([name, []]);
  }
  expect(JSON.stringify(await owner.get(card.id))).not.toContain(number);
  expect(cvv).toMatch(/^\d{3}$/);
});
