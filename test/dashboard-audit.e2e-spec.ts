import { UnitOfWork } from '../src/core/database/unit-of-work';
import { decodeId } from '../src/core/http/ids';
import { auditWrite } from '../src/modules/dashboard-api/audit.service';
import { Browser, newEmail, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

let duka: Duka;
let ada: Browser;
let bola: Browser;
beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  bola = await newMember(duka, ada, 'admin');
  await bola.stepUp();
  await bola.post('/team', { email: newEmail(), name: '=Eve', role: 'support' });
});
afterAll(() => duka.stop());

const actions = async (filter: string, browser = ada): Promise<string[]> =>
  (await browser.get(`/audit-log?${filter}`)).body.data.map(({ action }: any) => action);

const linesOf = async (filter: string, browser = ada): Promise<string[]> =>
  (await browser.get(`/audit-log/export?${filter}`)).body
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\n');

describe('the audit log', () => {
  it('is filtered by parts of who, what and where from, by what it was done to, and by time', async () => {
    expect(await actions(`actor=${bola.email.toUpperCase()}`)).toEqual([
      'team.invited',
      'person.stepped_up',
      'team.joined',
    ]);
    expect(await actions('action=team%20inv')).toEqual(['team.invited', 'team.invited']);
    expect(await actions('ip=127.0')).toEqual(await actions(''));
    expect(await actions('ip=10.9.')).toEqual([]);
    const [{ target, at }] = (await ada.get('/audit-log?action=team.invited')).body.data;
    expect(await actions(`target=${target}`)).toEqual(['team.invited']);
    const since = new Date(Date.parse(at)).toISOString();
    expect([
      (await actions(`created_gte=${since}`))[0],
      await actions(`created_gte=${new Date(Date.now() + 1_000).toISOString()}`),
    ]).toEqual(['team.invited', []]);
    expect(await actions(`created_lt=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
  });

  it('goes on from page to page of the same filter', async () => {
    const first = (await ada.get('/audit-log?action=team.invited&limit=1')).body;
    const next = (await ada.get(`/audit-log?action=team.invited&limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.data.length, next.data.length, next.next_cursor]).toEqual([1, 1, null]);
    expect((await ada.get(`/audit-log?action=person&cursor=${first.next_cursor}`)).body.code).toBe('invalid_cursor');
  });

  it('is a file of exactly the filter, by the clocks of the account, and no formula of a spreadsheet', async () => {
    const owned = 'SELECT account_id FROM team_members WHERE email = $1';
    await duka.asOwner(`UPDATE accounts SET time_zone = 'Africa/Lagos' WHERE id = (${owned})`, [ada.email]);
    const [head, ...lines] = await linesOf(`action=team&actor=${bola.email}`);
    expect(head).toBe('at,who,what,on,ip,detail,user_id,id');
    expect(lines.map((line) => line.split(',').slice(1, 3))).toEqual([
      [bola.email, 'team.invited'],
      [bola.email, 'team.joined'],
    ]);
    const [entry] = (await ada.get(`/audit-log?action=team.invited&actor=${bola.email}`)).body.data;
    const inLagos = new Date(Date.parse(entry.at) + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(lines[0]!.split(',')[0]).toBe(inLagos);
  });

  it('is whole, however long, and of the account alone', async () => {
    const other = await newOwner(duka);
    const { account } = (await ada.get('/me')).body;
    const entry = {
      accountId: decodeId('acct', account.id)!,
      userId: null,
      actor: 'many',
      action: 'many.done',
      ip: null,
    };
    const unitOfWork = duka.get<UnitOfWork>(UnitOfWork);
    await unitOfWork.run((tx) =>
      unitOfWork.write(
        tx,
        Array.from({ length: 1_203 }, () => auditWrite(entry)),
      ),
    );
    expect(await linesOf('action=many')).toHaveLength(1 + 1_203);
    expect((await linesOf('action=many', other)).length).toBe(1);
    expect((await linesOf('', other)).join()).not.toContain(ada.email);
  });
});
