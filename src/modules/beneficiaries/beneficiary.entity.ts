import { Column, Entity, PrimaryColumn } from 'typeorm';

export const BENEFICIARY_KINDS = ['bank_account', 'phone', 'meter', 'smartcard', 'wallet'] as const;
export type BeneficiaryKind = (typeof BENEFICIARY_KINDS)[number];

/** A customer of a biller. */
interface CustomerDetails {
  readonly biller_code: string;
  readonly customer_identifier: string;
  readonly item_code: string | null;
  readonly service_type: string | null;
}

/** What of a beneficiary is paid, by its kind. Kept and shown as it is. */
export interface BeneficiaryDetails {
  readonly bank_account: { readonly bank_code: string; readonly account_number: string };
  readonly phone: {
    /** Kept in E.164 form. */
    readonly phone: string;
    /** ISO 3166-1 alpha-2; null: as the number says. */
    readonly country: string | null;
    /** Slug; null: not known. */
    readonly network: string | null;
  };
  readonly meter: CustomerDetails;
  readonly smartcard: CustomerDetails;
  readonly wallet: { readonly wallet_id: string };
}

/** Somebody whom an account pays again and again. */
@Entity('beneficiaries')
export class Beneficiary<Kind extends BeneficiaryKind = BeneficiaryKind> {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: Kind;

  @Column('text')
  label: string;

  @Column('jsonb')
  details: BeneficiaryDetails[Kind];

  /** By which `details` name who is paid: for searches. */
  @Column('text')
  number: string;

  /** As the bank or the biller said when it was added; null: nobody says a name. */
  @Column('text', { name: 'verified_name', nullable: true })
  verifiedName: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Of the last order that was placed. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;

  /** Grows with each change. */
  @Column('integer')
  version: number;
}
