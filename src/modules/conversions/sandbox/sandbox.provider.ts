import { Injectable } from '@nestjs/common';
import type { Currency } from '../../../core/money/money';
import { rateFrom, rateText, worthIn } from '../rate';
import { type RateResult, type RatesProvider, SaysRates } from '../rates.provider';
import type { Pair } from '../rates.service';
import worth from './worth.json';

/** Says rates in test mode, the same each time: an operator of the sandbox moves the bounds, not the market. */
@Injectable()
@SaysRates({ name: 'sandbox', mode: 'test' })
export class SandboxRates implements RatesProvider {
  async mid({ livemode, base, quote }: Pair): Promise<RateResult> {
    if (livemode) throw new Error('the sandbox knows no real rate');
    const [from, to] = [base, quote].map((currency) => rateFrom((worth as Record<Currency, string>)[currency])!);
    return { outcome: 'said', rate: rateText(worthIn(from!, to!)), asOf: new Date() };
  }
}
