// "Fill in my key and wallet": who is signed in at the dashboard picks a wallet and makes a test key; everybody else pastes
// both. They are kept in sessionStorage, for this tab, and are sent nowhere.
const WALLET = /^wal_[0-9a-z]{26}$/;
const KEY = /^sk_test_\w+$/;

const keep = (name, value) => {
  if (value) sessionStorage.setItem(`duka-docs-${name}`, value);
  else sessionStorage.removeItem(`duka-docs-${name}`);
};
const kept = (name) => sessionStorage.getItem(`duka-docs-${name}`) ?? '';

/** Of the reader's account at the dashboard, by their session; null when there is none. */
async function ask(path, init) {
  const answer = await fetch(`/dashboard/api${path}`, init);
  return answer.ok ? answer.json() : null;
}

const FORM = `<form method="dialog">
<h2 id="fill-title">Your key and wallet</h2>
<p class="who" role="status">Looking whether you are signed in…</p>
<p class="make" hidden><button type="button" class="make-key">Make a test key</button></p>
<label>Test key <input name="key" placeholder="sk_test_…" autocomplete="off" spellcheck="false"></label>
<label>Wallet <input name="wallet" list="fill-wallets" placeholder="wal_…" autocomplete="off" spellcheck="false"></label>
<datalist id="fill-wallets"></datalist>
<p class="wrong" role="alert"></p>
<p>Both stay in this tab of your browser until you close it. Live keys are not taken.</p>
<p class="buttons"><button type="submit" value="keep" class="primary">Fill in</button> <button type="button" class="forget">Forget both</button> <button type="button" class="cancel">Cancel</button></p>
</form>`;

let dialog = null;

function make(onKept) {
  dialog = document.createElement('dialog');
  dialog.className = 'fill-dialog';
  dialog.setAttribute('aria-labelledby', 'fill-title');
  dialog.innerHTML = FORM;
  document.body.append(dialog);
  const form = dialog.querySelector('form');
  const { key, wallet } = form.elements;
  const finish = () => {
    dialog.close();
    onKept();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const wrong = [
      key.value && !KEY.test(key.value.trim()) && 'A test key begins with sk_test_.',
      wallet.value && !WALLET.test(wallet.value.trim()) && 'A wallet is wal_ and 26 characters.',
    ].filter(Boolean);
    dialog.querySelector('.wrong').textContent = wrong.join(' ');
    if (wrong.length > 0) return;
    keep('key', key.value.trim());
    keep('wallet', wallet.value.trim());
    finish();
  });
  dialog.querySelector('.cancel').addEventListener('click', () => dialog.close());
  dialog.querySelector('.forget').addEventListener('click', () => {
    for (const name of ['key', 'wallet']) keep(name, '');
    finish();
  });
  dialog.querySelector('.make-key').addEventListener('click', ({ currentTarget }) => void makeKey(currentTarget, key));
}

async function makeKey(button, field) {
  button.disabled = true;
  const made = await ask('/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ name: `Docs, ${new Date().toISOString().slice(0, 10)}`, livemode: false }),
  }).catch(() => null);
  button.disabled = false;
  if (made) field.value = made.secret;
  dialog.querySelector('.wrong').textContent = made
    ? ''
    : 'No key could be made: your role may not, or the account has too many.';
}

async function lookWho() {
  const who = dialog.querySelector('.who');
  const [me, wallets] = await Promise.all([ask('/me'), ask('/test/v4/wallets?currency=NGN&limit=100')]).catch(() => []);
  dialog.querySelector('.make').hidden = !me;
  if (!me) {
    who.innerHTML =
      'You are not signed in. <a href="/dashboard/log-in">Log in at the dashboard</a>, or paste both here.';
    return;
  }
  who.textContent = `Signed in at the dashboard as ${me.user.email}.`;
  const open = (wallets?.data ?? []).filter(({ status }) => status === 'active');
  const options = open.map(({ id, label }) =>
    Object.assign(document.createElement('option'), { value: id, label: label ?? id }),
  );
  dialog.querySelector('datalist').replaceChildren(...options);
  // Newest first: the oldest is the one that the account began with.
  dialog.querySelector('form').elements.wallet.value ||= open.at(-1)?.id ?? '';
}

export function open(onKept) {
  if (!dialog) make(onKept);
  const { key, wallet } = dialog.querySelector('form').elements;
  key.value = kept('key');
  wallet.value = kept('wallet');
  dialog.querySelector('.wrong').textContent = '';
  dialog.showModal();
  void lookWho();
}
