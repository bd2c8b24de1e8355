import { runProcess } from '../../../src/core/process/lifetime';
import { conclude } from '../command-line';
import { Pace } from '../purchases/pace';
import { reckonAccount } from './account-reckoning';
import { AccountTime } from './account-time';
import { openThings, reckonBooks } from './book-reckoning';
import { CardClients } from './card-clients';
import { Findings } from './findings';
import { Fleet } from './fleet';
import { PaymentClients } from './payment-clients';
import { Report } from './report';
import { Shop } from './shop';
import { SIZES } from './sizes';
import { TransferClients } from './transfer-clients';
import { Strikes } from './strikes';
import { Wire } from './wire';
import { openPool } from '../open-pool';

// `npm run test:chaos:cards`: what was answered about cards and payments is in the books exactly once, whatever is killed meanwhile.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const size = SIZES[process.argv.includes('--short') ? 'short' : 'long'];
  const fleet = await Fleet.start(lifetime);
  const {
    service: { databaseUrl, env },
  } = fleet;
  const db = await openPool(lifetime, databaseUrl);
  const wire = new Wire(fleet.urls);
  const shops = await Promise.all(fleet.keys.map((key) => Shop.open(wire, key)));
  const paces = [size.operations, size.payments, size.transfers].map((count) => new Pace(count, size.paceMs));
  const [cardPace, paymentPace, transferPace] = paces as [Pace, Pace, Pace];
  const cards = new CardClients(shops, size.operations, cardPace);
  const payments = new PaymentClients(shops, size.payments, paymentPace, env.SECRETS_KEY!);
  const transfers = new TransferClients(shops, size.transfers, transferPace, env.SECRETS_KEY!);
  const strikes = new Strikes({ fleet, wire, clients: cards }, size);
  const time = new AccountTime(shops, () => openThings(db));
  time.start();
  const killing = strikes.run().finally(() => {
    for (const pace of paces) pace.areKillsOver = true;
  });
  await Promise.all([cards.run(), payments.run(), transfers.run(), killing]);
  const waiting = await time.settle();
  const findings = new Findings();
  for (const shop of shops) await reckonAccount(shop, { isLapsed: false }, findings);
  await reckonBooks(db, databaseUrl, findings);
  await time.lapse();
  waiting.push(...(await time.settle()));
  for (const shop of shops) await reckonAccount(shop, { isLapsed: true }, findings);
  const collapses = await fleet.stop();
  await reckonBooks(db, databaseUrl, findings);
  const report = new Report({ wire, cards, payments, shops, strikes, time, findings });
  report.print();
  const wrong = [...collapses, ...report.wrong, ...waiting.map((what) => `${what} did not end`)];
  if (wire.faults.size > 0) wrong.push(fleet.service.lastWords);
  await conclude(lifetime, wrong, 'Everything that was answered is in the books once.');
});
