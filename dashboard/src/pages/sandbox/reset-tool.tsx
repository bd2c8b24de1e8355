import { publicApi } from '../../api/public-api';
import { ConfirmButton } from '../../ui/confirm-button';

export function ResetTool() {
  return (
    <ConfirmButton
      label="Reset the sandbox"
      question="Reset the sandbox?"
      explanation="The test money of all wallets goes back, the clock returns to now and outages end. Transactions, keys and webhooks stay."
      done="The sandbox is reset."
      work={() => publicApi('test').POST('/v4/sandbox/reset')}
    />
  );
}
