import { Controller, Get, HttpCode, Injectable, Ip, Param, Post, Query } from '@nestjs/common';
import { hasScope } from '../../../core/http/caller';
import { decodeId, encodeId } from '../../../core/http/ids';
import { TransactionResources } from '../../transactions/transaction-resources.service';
import { TransactionsService } from '../../transactions/transactions.service';
import { EndpointSecretsService } from '../../webhooks/endpoint-secrets.service';
import { EndpointsService } from '../../webhooks/endpoints.service';
import { AuditService } from '../audit.service';
import { InsufficientRole, LiveModeLocked, StepUpRequired } from '../dashboard.errors';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { scopesOf } from '../roles';
import { EndpointSecretDto, ModeQuery, RevealedDto } from './overview.dto';

interface Asked {
  readonly livemode: boolean;
  readonly ip: string;
}

/** Shows people what is masked everywhere else. That they asked is written down before they see it. */
@Injectable()
export class RevealsService {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly endpointSecrets: EndpointSecretsService,
    private readonly transactions: TransactionsService,
    private readonly shown: TransactionResources,
    private readonly audit: AuditService,
  ) {}

  /** The secret that signs an endpoint's deliveries. Throws `NotFound`, `LiveModeLocked`, `StepUpRequired`. */
  async ofEndpoint(me: SignedIn, id: string | null, { livemode, ip }: Asked): Promise<string> {
    requireMode(me, livemode);
    const endpoint = await this.endpoints.require({ accountId: me.accountId, livemode }, id);
    if (livemode && me.steppedUpUntil === null) throw new StepUpRequired();
    await this.record(me, 'webhook.secret_shown', encodeId('whk', endpoint.id), ip);
    return this.endpointSecrets.shown(endpoint);
  }

  /** Meter tokens and PINs of a purchase. Throws `InsufficientRole`, `LiveModeLocked`, `NotFound`. */
  async ofTransaction(me: SignedIn, id: string, { livemode, ip }: Asked): Promise<object> {
    if (!hasScope({ scopes: scopesOf(me.role, livemode) }, 'tokens:reveal'))
      throw new InsufficientRole('tokens:reveal');
    requireMode(me, livemode);
    const transaction = await this.transactions.require({ accountId: me.accountId, livemode }, id);
    await this.record(me, 'transaction.tokens_revealed', encodeId('txn', transaction.id), ip);
    return this.shown.secretsOf(transaction);
  }

  private record(
    { accountId, userId, email: actor }: SignedIn,
    action: string,
    target: string,
    ip: string,
  ): Promise<void> {
    return this.audit.record({ accountId, userId, actor, action, target, ip });
  }
}

function requireMode({ liveEnabled }: SignedIn, livemode: boolean): void {
  if (livemode && !liveEnabled) throw new LiveModeLocked();
}

/** What is masked everywhere else. */
@Controller('dashboard/api')
export class RevealsController {
  constructor(private readonly reveals: RevealsService) {}

  @Get('webhooks/:id/secret')
  @Needs('webhooks:secret')
  async endpoint(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Ip() ip: string,
  ): Promise<EndpointSecretDto> {
    return { secret: await this.reveals.ofEndpoint(me, decodeId('whk', id), { livemode, ip }) };
  }

  /** Which roles may depends on the mode: that is for the service to say. */
  @Post('transactions/:id/reveal')
  @HttpCode(200)
  @Needs('search')
  async transaction(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Ip() ip: string,
  ): Promise<RevealedDto> {
    return { details: await this.reveals.ofTransaction(me, id, { livemode, ip }) };
  }
}
