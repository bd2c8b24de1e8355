/** Names a delivery. */
export interface DeliveryKey {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
}

/** A delivery that waits for its next attempt. */
export interface DueDelivery extends DeliveryKey {
  readonly endpointId: string;
  /** Attempts that were made. */
  readonly attempts: number;
  /** By the clock of the account. */
  readonly nextAttemptAt: Date;
  /** How far the test clock is ahead by which it is due. */
  readonly aheadMs?: string;
}

/** What a job carries: ids, and which attempt it is for. */
export interface DeliveryJob extends DeliveryKey {
  readonly endpointId: string;
  /** 1 for the first. */
  readonly attempt: number;
}
