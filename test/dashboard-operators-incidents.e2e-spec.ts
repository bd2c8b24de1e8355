import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

let duka: Duka;
let ada: Browser;
let bola: Browser;
let partner: Browser;

beforeAll(async () => {
  duka = await Duka.start();
  [ada, bola, partner] = [await newOwner(duka), await newOwner(duka), await newOwner(duka)];
  for (const operator of [ada, bola]) {
    await duka.setOperator(operator.email, true);
    await operator.stepUp();
  }
});
afterAll(() => duka.stop());

const INCIDENT = {
  title: 'Airtime of <MTN> is slow',
  note: 'Send it again later.\nNobody is charged twice.',
  state: 'investigating',
  products: ['airtime'],
  networks: ['mtn'],
};

const page = async () => {
  const response = await fetch(`${duka.url}/status`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const told = async () => (await fetch(`${duka.url}/status.json`)).json() as Promise<any>;

it('everything works as long as nobody says otherwise', async () => {
  const { status, headers, text } = await page();
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('cache-control')).toMatch(/^public, max-age=30/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('<h1 class="well">Everything works</h1>');
  expect(await told()).toMatchObject({ works: true, open_incidents: 0, days: 90, data: [] });
  expect((await fetch(`${duka.url}/status/style.css`)).headers.get('content-type')).toMatch(/^text\/css/);
});

it('an incident is opened after a fresh proof only, by operators only', async () => {
  const again = ada.another();
  await again.logIn();
  expect((await again.post('/operators/incidents', INCIDENT)).body.code).toBe('step_up_required');
  await partner.stepUp();
  expect((await partner.post('/operators/incidents', INCIDENT)).body.code).toBe('insufficient_role');
  expect((await partner.get('/operators/incidents')).status).toBe(403);
});

it.each([
  ['title', ''],
  ['note', ''],
  ['state', 'resolved'],
  ['products', ['gold']],
  ['networks', ['<b>']],
])('with %s %j it is refused', async (field, value) => {
  const { status, body } = await ada.post('/operators/incidents', { ...INCIDENT, [field]: value });
  expect([status, body.errors[0].param]).toEqual([400, `/${field}`]);
});

it('everybody reads it without a log-in, and who wrote it stays ours', async () => {
  const { status, body: opened } = await ada.post('/operators/incidents', INCIDENT);
  expect([status, opened.state, opened.people]).toEqual([201, 'investigating', [ada.email]]);
  expect((await told()).data).toEqual([
    expect.objectContaining({ id: opened.id, title: INCIDENT.title, ended_at: null }),
  ]);
  const { text } = await page();
  expect(text).toContain('One open incident');
  expect(text).toContain('Airtime of &#60;MTN&#62; is slow');
  expect(text).not.toContain('<MTN>');
  for (const shown of [text, JSON.stringify(await told())]) expect(shown).not.toContain(ada.email);
  expect(await told()).toMatchObject({ works: false, open_incidents: 1, data: [{ products: ['airtime'] }] });
});

it('what was said is added to and stays, until it is over', async () => {
  const [{ id }] = (await ada.get('/operators/incidents')).body.data;
  const say = (who: Browser, state: string, note: string) =>
    who.post(`/operators/incidents/${id}/updates`, { state, note });
  expect((await say(bola, 'monitoring', 'Another way is used.')).body.state).toBe('monitoring');
  const both = await Promise.all([say(ada, 'resolved', 'It works.'), say(bola, 'resolved', 'It works.')]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const { body } = await bola.get(`/operators/incidents/${id}`);
  expect(body.updates.map(({ state }: any) => state)).toEqual(['resolved', 'monitoring', 'investigating']);
  expect(body.people.slice(1)).toEqual([bola.email, ada.email]);
  expect(body.ended_at).toBe(body.updates[0].at);
  const refused = await say(bola, 'monitoring', 'More.');
  expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state_transition']);
  expect(await told()).toMatchObject({ works: true, data: [{ id, state: 'resolved' }] });
  expect((await page()).text).toContain('Another way is used.');
});

it('each step is in the audit log, and the application cannot change what was said', async () => {
  const entries = async (who: Browser) => (await who.get('/audit-log')).body.data.map(({ action }: any) => action);
  const all = [...(await entries(ada)), ...(await entries(bola))].filter((action) => action.startsWith('incident.'));
  expect([all.length, new Set(all)]).toEqual([3, new Set(['incident.ended', 'incident.opened', 'incident.updated'])]);
  const rights = await duka.asOwner(
    `SELECT has_any_column_privilege('duka_app', t, 'UPDATE') OR has_table_privilege('duka_app', t, 'DELETE') AS may
       FROM unnest(ARRAY['incidents', 'incident_updates']) t`,
    [],
  );
  expect(rights).toEqual([{ may: false }, { may: false }]);
});

it('what ended more than 90 days ago is no longer told', async () => {
  await ada.stepUp();
  const { body } = await ada.post('/operators/incidents', { ...INCIDENT, title: 'Of spring', products: [] });
  await ada.post(`/operators/incidents/${body.id}/updates`, { state: 'resolved', note: 'It works.' });
  expect((await page()).text).toContain('Of spring');
  await duka.asOwner(
    `UPDATE incident_updates SET id = uuid_v7_floor(now() - interval '91 days')
      WHERE note = 'It works.' AND incident_id = (SELECT id FROM incidents WHERE title = 'Of spring')`,
    [],
  );
  expect((await page()).text).not.toContain('Of spring');
  expect((await ada.get('/operators/incidents')).body.data.map(({ title }: any) => title)).toContain('Of spring');
});

it('one of which there is none is not found', async () => {
  for (const id of ['inc_01kabcdefghjkmnpqrstvwxyz0', 'nothing'])
    expect((await ada.get(`/operators/incidents/${id}`)).status).toBe(404);
});
