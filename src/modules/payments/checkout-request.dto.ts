import { Text } from '../../core/http/fields';

/** Form of the page on which a way of paying is chosen. */
export class StartCheckoutForm {
  @Text(64)
  gateway: string;
}

/** Form of the page on which a person plays the gateway. */
export class SandboxOutcomeForm {
  @Text(64)
  outcome: string;
}
