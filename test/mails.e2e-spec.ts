import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { InvalidEnvironment, loadEnv } from '../src/core/config/env';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { MailsService } from '../src/core/mail/mails.service';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { SecretBox } from '../src/core/secrets/secret-box';
import { Browser, newEmail, newOwner, PASSWORD } from './support/dashboard';
import { Duka } from './support/duka';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** A mail server that takes what it is given, or answers a command as it is told. */
class Postbox {
  readonly mails: { to: string[]; data: string }[] = [];
  /** By command, such as RCPT; `cut` hangs up after a mail was taken, before it says so. */
  answers: Record<string, string> = {};
  isCut = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Postbox> {
    const server = createServer();
    const postbox = new Postbox(server);
    server.on('connection', (socket) => postbox.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return postbox;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let [rest, isData, to] = ['', false, [] as string[]];
    socket.on('error', () => undefined);
    socket.write('220 postbox\r\n');
    socket.on('data', (piece) => {
      rest += piece.toString();
      if (isData && rest.includes('\r\n.\r\n')) {
        this.mails.push({ to, data: rest });
        [rest, isData, to] = ['', false, []];
        if (this.isCut) return void socket.destroy();
        socket.write('250 taken\r\n');
        return;
      }
      while (!isData && rest.includes('\r\n')) {
        const line = rest.slice(0, rest.indexOf('\r\n'));
        rest = rest.slice(line.length + 2);
        const command = line.slice(0, 4).toUpperCase();
        const answer = this.answers[command] ?? (command === 'DATA' ? '354 go on' : '250 postbox');
        if (command === 'RCPT' && answer.startsWith('250')) to.push(/<(.*)>/.exec(line)![1]!);
        isData = answer.startsWith('354');
        socket.write(`${answer}\r\n`);
      }
    });
  }
}

let duka: Duka;
let postbox: Postbox;

beforeAll(async () => {
  postbox = await Postbox.open();
  duka = await Duka.start({ SMTP_URL: postbox.url, MAIL_FROM: 'Duka <no-reply@duka.example>' });
});
afterAll(async () => {
  await duka.stop();
  await postbox.close();
});
beforeEach(async () => {
  await duka.asOwner('DELETE FROM mails');
  postbox.mails.length = 0;
  postbox.answers = {};
  postbox.isCut = false;
});

const LETTER = {
  subject: 'Ünder the <mango> tree',
  paragraphs: ['5 < 6 & "7"', 'Grüße'],
  link: { label: 'Go', path: '/dashboard/reset-password#token=s3cr3t' },
};

const add = (to = 'ada@example.com', goodForSeconds = 3_600): Promise<void> =>
  duka
    .get<UnitOfWork>(UnitOfWork)
    .run((tx) =>
      duka.get<MailsService>(MailsService).add(tx, { kind: 'test.letter', to, letter: LETTER, goodForSeconds }),
    );
const send = (): Promise<void> => duka.get<RecurringJobs>(RecurringJobs).run('mails.send');
const rows = (): Promise<Record<string, any>[]> =>
  duka.get<DataSource>(DataSource).query('SELECT * FROM mails ORDER BY id');
const makeDue = () => duka.asOwner('UPDATE mails SET due_at = now()');

describe('mail', () => {
  it('takes the link of an invitation to whom it is for, and nobody else is shown it', async () => {
    const ada = await newOwner(duka);
    await ada.stepUp();
    await duka.asOwner('DELETE FROM mails');
    const email = newEmail();
    const invited = await ada.post('/team', { email, name: 'Bola', role: 'support' });
    expect(invited.body).toMatchObject({ invite_url: null, mail: 'smtp' });
    const again = await ada.post(`/team/${invited.body.user.id}/resend`, {});
    expect([again.status, again.body.invite_url]).toEqual([200, null]);
    await send();
    const texts = postbox.mails.map(({ data }) => data.replaceAll('=\r\n', '').replaceAll('=3D', '='));
    expect(texts).toHaveLength(2);
    const [old, token] = texts.map((text) => /invite\?token=([\w-]+)/.exec(text)![1]!);
    const bola = new Browser(duka);
    const accept = async (one: string) =>
      (await bola.post('/auth/accept-invite', { token: one, password: PASSWORD })).status;
    expect([await accept(old!), await accept(token!)]).toEqual([404, 200]);
    expect((await bola.get('/me')).body.user.email).toBe(email);
  });

  it('is sent once, with its text and its page, and its content goes', async () => {
    await add();
    await send();
    await send();
    expect(postbox.mails).toHaveLength(1);
    const [{ to, data }] = postbox.mails as [{ to: string[]; data: string }];
    expect(to).toEqual(['ada@example.com']);
    expect(data).toContain('From: Duka <no-reply@duka.example>');
    expect(data).toContain('Auto-Submitted: auto-generated');
    expect(data).toMatch(/5 &lt; 6 &amp; &quot;7&quot;/);
    expect(data).not.toContain('<mango>');
    expect(data.replace(/=\r\n/g, '')).toMatch(/reset-password#token(?:=|=3D)s3cr3t/);
    expect(await rows()).toMatchObject([{ status: 'sent', content: null, attempts: 1 }]);
  });

  it('is not sent when what causes it is undone', async () => {
    await expect(
      duka.get<UnitOfWork>(UnitOfWork).run(async (tx) => {
        const mail = { kind: 'test.letter', to: 'ada@example.com', letter: LETTER, goodForSeconds: 60 };
        await duka.get<MailsService>(MailsService).add(tx, mail);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await send();
    expect(postbox.mails).toEqual([]);
  });

  it('is sealed until it is sent', async () => {
    await add();
    const [{ id, content }] = (await rows()) as [Record<string, any>];
    expect(content.toString('latin1')).not.toContain('s3cr3t');
    expect(duka.get<SecretBox>(SecretBox).open(content, id)).toContain('s3cr3t');
  });

  it('is tried again later when the server is busy, and waits longer each time', async () => {
    postbox.answers = { MAIL: '451 later' };
    await add();
    await add('bola@example.com');
    await send();
    const [first] = await rows();
    expect(first).toMatchObject({ status: 'due', attempts: 1, failure: 'EENVELOPE 451' });
    const waits = async () => (await rows())[0]!.due_at.getTime() - Date.now();
    expect(await waits()).toBeGreaterThan(20_000);
    await makeDue();
    await send();
    expect(await waits()).toBeGreaterThan(50_000);
    postbox.answers = {};
    await send();
    expect(postbox.mails).toEqual([]);
    await makeDue();
    await send();
    expect(new Set(postbox.mails.map(({ to }) => to[0]))).toEqual(new Set(['ada@example.com', 'bola@example.com']));
    expect(postbox.mails).toHaveLength(2);
  });

  it('is given up when nobody is at the address; others go out all the same', async () => {
    postbox.answers = { RCPT: '550 nobody' };
    await add('nobody@example.com');
    await send();
    postbox.answers = {};
    await add();
    await send();
    expect((await rows()).map(({ status, failure, content }) => [status, failure, content])).toEqual([
      ['failed', 'EENVELOPE 550', null],
      ['sent', null, null],
    ]);
  });

  it('is not worth sending after its time', async () => {
    await add('ada@example.com', 0);
    await send();
    expect(postbox.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'failed', failure: 'too_late', content: null }]);
  });

  it('is sent again with the same Message-ID when nobody knows whether it was taken', async () => {
    postbox.isCut = true;
    await add();
    await send();
    expect(await rows()).toMatchObject([{ status: 'due', attempts: 1 }]);
    postbox.isCut = false;
    await makeDue();
    await send();
    const ids = postbox.mails.map(({ data }) => /Message-ID: (<.*>)/i.exec(data)![1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('is sent once by many processes', async () => {
    for (let nth = 0; nth < 20; nth++) await add(`person${nth}@example.com`);
    await Promise.all(Array.from({ length: 4 }, send));
    expect(postbox.mails).toHaveLength(20);
  });

  it('is left to the process that has taken it; others go on with the next', async () => {
    await add();
    await add('bola@example.com');
    await duka.get<DataSource>(DataSource).transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM mails WHERE recipient = 'ada@example.com' FOR UPDATE`);
      await send();
      expect(postbox.mails.map(({ to }) => to)).toEqual([['bola@example.com']]);
    });
    await send();
    expect(postbox.mails.map(({ to }) => to)).toEqual([['bola@example.com'], ['ada@example.com']]);
  });

  it('goes to one address, whatever that looks like', async () => {
    for (const to of ['a,b@example.com', '"x@evil.example,y"@example.com', 'c;d@example.com']) await add(to);
    await send();
    expect(postbox.mails.map(({ to }) => to)).toEqual([
      ['"a,b"@example.com'],
      ['"x@evil.example,y"@example.com'],
      ['"c;d"@example.com'],
    ]);
  });
});

describe('the settings of mail', () => {
  const load = (settings: Record<string, string>) => loadEnv({}, { SECRETS_KEY, ...settings });

  it.each([
    ['MAIL_FROM is missing', { SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM must be set'],
    ['MAIL_FROM is no address', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Duka' }, 'MAIL_FROM must be set'],
    ['SMTP_URL is no mail server', { SMTP_URL: 'https://x.example', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
  ])('are refused at the start when %s', (_what, settings, fault) => {
    expect(() => load(settings)).toThrow(InvalidEnvironment);
    expect(() => load(settings)).toThrow(fault);
  });

  it('may be absent, or whole', () => {
    expect(load({}).SMTP_URL).toBeUndefined();
    expect(load({ SMTP_URL: 'smtps://u:p%40@mail.example.com', MAIL_FROM: 'Duka <a@b.example>' }).MAIL_FROM).toBe(
      'Duka <a@b.example>',
    );
  });
});
