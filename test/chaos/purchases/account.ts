import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module';
import type { Env } from '../../../src/core/config/env';
import { ApiKeysService } from '../../../src/modules/accounts/api-keys.service';
import { WalletChangesService } from '../../../src/modules/wallets/wallet-changes.service';

/** Opens the account that buys, and returns its test key. */
export async function openAccount(env: Env): Promise<string> {
  const app = await NestFactory.createApplicationContext(AppModule.register(env), {
    abortOnError: false,
    logger: false,
  });
  const { id: accountId } = await app.get(WalletChangesService, { strict: false }).openAccount('Chaos');
  const wanted = { accountId, livemode: false, name: 'Chaos', scopes: null, allowedIps: null, expiresAt: null };
  const { secret } = await app.get(ApiKeysService, { strict: false }).create(wanted);
  await app.close();
  return secret;
}
