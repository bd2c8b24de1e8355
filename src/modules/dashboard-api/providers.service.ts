import { Injectable } from '@nestjs/common';
import { givenSettings } from '../../core/config/env';
import { NotFound } from '../../core/errors/domain-error';
import { Client } from '../../providers/client';
import { Registry } from '../../providers/registry';
import { Routes, type StoredRoute } from '../../providers/routes';
import type { RoutedProduct } from '../../vocabulary/products';
import { type BookedFloat, FloatBookings, type OpenDifference } from '../purchases/float-bookings';
import { AuditService } from './audit.service';
import type { SignedIn } from './people/sessions.service';

/** Calls of the last hour say whether a provider is well. */
const RECENT_MINUTES = 60;

/** An adapter of this build, and how it is with it. Of its settings the names only. */
export interface ProviderState {
  readonly product: RoutedProduct;
  readonly name: string;
  readonly mode: 'test' | 'live';
  readonly isRegistered: boolean;
  readonly settings: readonly {
    readonly name: string;
    readonly isSet: boolean;
    /** It has no default, and nothing goes without it. */
    readonly isNeeded: boolean;
  }[];
  readonly routes: readonly StoredRoute[];
  /** Of the last hour. */
  readonly calls: number;
  readonly unknown: number;
  readonly lastAnswerAt: Date | null;
  /** Our money there; of live providers. Whoever sells several products has one. */
  readonly floats: readonly BookedFloat[];
}

/** Names of settings that are not there and must be. */
export const missingOf = ({ settings }: Pick<ProviderState, 'settings'>): string[] =>
  settings.filter(({ isSet, isNeeded }) => isNeeded && !isSet).map(({ name }) => name);

/** Networks for which a provider is asked. */
export const networksOf = ({ routes }: Pick<ProviderState, 'routes'>): string[] =>
  routes.filter(({ enabled }) => enabled).map(({ network }) => network);

/** Providers, gateways and issuers as operators see them, and where their statements do not agree with our books. */
@Injectable()
export class ProvidersService {
  constructor(
    private readonly registry: Registry,
    private readonly storedRoutes: Routes,
    private readonly client: Client,
    private readonly bookings: FloatBookings,
    private readonly audit: AuditService,
  ) {}

  /** All of this build. */
  async list(): Promise<ProviderState[]> {
    const given = givenSettings();
    const [calls, routes, floats] = await Promise.all([
      this.client.calls(RECENT_MINUTES),
      this.storedRoutes.list(),
      this.bookings.list(),
    ]);
    return this.registry.list().map(({ product, name, mode, settings, isRegistered }) => {
      const isOwn = (one: { product: string; provider: string; livemode: boolean }) =>
        one.product === product && one.provider === name && one.livemode === (mode === 'live');
      const own = calls.filter(isOwn);
      const answers = own.map(({ lastAt }) => lastAt.getTime());
      return {
        product,
        name,
        mode,
        isRegistered,
        settings: (settings?.variables ?? []).map(({ name: variable, reader }) => ({
          name: variable,
          isSet: given(variable) !== null,
          isNeeded: reader.default === null && !reader.isOptional,
        })),
        routes: routes.filter(isOwn),
        calls: countOf(own),
        unknown: countOf(own.filter(({ outcome }) => outcome === 'unknown')),
        lastAnswerAt: answers.length > 0 ? new Date(Math.max(...answers)) : null,
        floats: mode === 'test' ? [] : floats.filter(({ provider }) => provider === name),
      };
    });
  }

  /** Differences that nobody has explained. Of one provider, or all. */
  listDifferences(provider: string | null): Promise<OpenDifference[]> {
    return this.bookings.listDifferences(provider);
  }

  /** Closes a difference with the reason for it. Throws `NotFound`, of one that was explained before, too. */
  async explain(me: SignedIn, id: string, reason: string, ip: string): Promise<void> {
    const { homeAccountId: accountId, userId, email } = me;
    const entry = {
      accountId,
      userId,
      actor: email,
      action: 'difference.explained',
      target: id,
      ip,
      detail: { reason },
    };
    const isOpen = await this.audit.with((writesOf) => this.bookings.resolve(id, email, reason, () => writesOf(entry)));
    if (!isOpen) throw new NotFound('difference');
  }
}

const countOf = (counts: readonly { readonly calls: number }[]): number =>
  counts.reduce((sum, { calls }) => sum + calls, 0);
