import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

it('a card is no wallet: nothing that asks for a wallet takes from a card or pays into it', async () => {
  const duka = await Duka.start();
  const [network, other] = [await CardNetwork.in(duka, 1_000), await CardNetwork.in(duka, 1_000)];
  const [asWallet, wallet] = [network.card.replace('crd_', 'wal_'), await network.api.wallet(500, 'USD')];
  const answers = [
    await network.api.transfer(asWallet, wallet, 100),
    await network.api.transfer(wallet, asWallet, 100),
    await other.api.transfer(await other.api.wallet(500, 'USD'), asWallet, 100),
    await network.api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: 10_000, wallet_id: asWallet }),
    await network.api.post('/v4/cards/issue', { ...network.order, amount: 100, funding_wallet_id: asWallet }),
    await network.api.post(`/v4/cards/${network.card}/fund`, { amount: 100, wallet_id: asWallet }),
    await network.api.post(`/v4/sandbox/wallets/${asWallet}/credit`, { amount: 100 }),
  ];
  expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(answers.map(() => '404 not_found'));
  expect(await network.balance()).toEqual([1_000, 0]);
  await duka.stop();
});
