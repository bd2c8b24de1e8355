import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module';
import type { Env } from '../../../src/core/config/env';
import { ApiKeysService } from '../../../src/modules/api-keys/api-keys.service';
import { AccountOpeningService } from '../../../src/modules/wallets/opening.service';

/** Opens the account that buys, and returns its test key. */
export async function openAccount(env: Env): Promise<string> {
  const app = await NestFactory.createApplicationContext(AppModule.register(env), {
    abortOnError: false,
    logger: false,
  });
  const { id: accountId } = await app.get(AccountOpeningService, { strict: false }).openAccount('Chaos');
  const wanted = { accountId, livemode: false, name: 'Chaos', scopes: null, allowedIps: null, expiresAt: null };
  const { secret } = await app.get(ApiKeysService, { strict: false }).create(wanted);
  await app.close();
  return secret;
}
