import type { Recovery } from '../../../../core/errors/domain-error';
import type { FinalState } from '../../../purchases/sandbox-operator.service';

/** A customer whose number decides what happens in test mode. Amounts in minor units. */
export interface SandboxCustomer {
  /** The number, or one of those that the pattern fits. */
  readonly customer: string;
  readonly pattern?: string;
  /** The number is a phone: the outcomes of sandbox phones hold. */
  readonly is_phone?: boolean;
  readonly categories: readonly string[];
  /** Only for these; absent: for all. */
  readonly service_types?: readonly string[];
  readonly validation: 'found' | 'not_found' | 'unavailable';
  readonly name?: string;
  readonly address?: string;
  readonly arrears?: number;
  readonly min_amount?: number;
  /** By biller. */
  readonly current_plans?: Readonly<Record<string, string>>;
  /** What the operator plays when the request names no scenario; absent: delivered. */
  readonly scenario?: string;
  /** How a refusal is told. */
  readonly refusal?: { readonly message: string; readonly recovery: Recovery };
  readonly description: string;
  /** Of a payment that shows it, beside the customer. */
  readonly example: {
    readonly biller_code: string;
    readonly item_code?: string;
    readonly service_type?: string;
    readonly amount?: number;
    readonly quantity?: number;
  };
  /** How that payment ends. */
  readonly final: FinalState;
}

/** A token that a payment brings when its amount fits. */
export interface SandboxToken {
  readonly kind: string;
  /** Price of a unit; absent: the token brings none. */
  readonly minor_per_kwh?: number;
  readonly amount_from?: number;
  readonly amount_ends_in?: string;
}

/** Everything that the sandbox's billers know: they behave by it, the route serves it, and a test walks it. */
export interface SandboxCustomers {
  readonly customers: readonly SandboxCustomer[];
  /** Everybody else. */
  readonly unknown: SandboxCustomer;
  /** What is delivered as a secret. */
  readonly goods: readonly {
    readonly category: string;
    readonly service_type?: string;
    readonly kind: 'tokens' | 'pins';
  }[];
  readonly tokens: readonly SandboxToken[];
}
