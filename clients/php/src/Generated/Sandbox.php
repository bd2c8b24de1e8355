<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type AdvanceClock from Types
 * @phpstan-import-type AuthenticateCard from Types
 * @phpstan-import-type CardAuthentication from Types
 * @phpstan-import-type CardTransaction from Types
 * @phpstan-import-type CompletePayment from Types
 * @phpstan-import-type CreditWallet from Types
 * @phpstan-import-type DryRunTransaction from Types
 * @phpstan-import-type Event from Types
 * @phpstan-import-type PayVirtualAccount from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type SandboxClock from Types
 * @phpstan-import-type SandboxOutage from Types
 * @phpstan-import-type SandboxOutageList from Types
 * @phpstan-import-type SandboxReset from Types
 * @phpstan-import-type SandboxScenarios from Types
 * @phpstan-import-type SandboxTransfer from Types
 * @phpstan-import-type SetOutage from Types
 * @phpstan-import-type SettleTransaction from Types
 * @phpstan-import-type SimulateCard from Types
 * @phpstan-import-type Transaction from Types
 * @phpstan-import-type TriggerEvent from Types
 */
final class Sandbox
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Have the card's issuer ask for a code of one time (3-D Secure). `POST /v4/sandbox/cards/{id}/authenticate`
     *
     * @param AuthenticateCard $body
     * @return CardAuthentication
     */
    public function simulateCardAuthentication(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/cards/' . rawurlencode($id) . '/authenticate', body: $body, options: $options);
    }

    /**
     * Play the card network: authorize, clear, void, refund, decline or charge a fee. `POST /v4/sandbox/cards/{id}/simulate`
     *
     * @param SimulateCard $body
     * @return CardTransaction
     */
    public function simulateCardTransaction(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/cards/' . rawurlencode($id) . '/simulate', body: $body, options: $options);
    }

    /**
     * Read the clock of your test mode. `GET /v4/sandbox/clock`
     *
     * @return SandboxClock
     */
    public function getClock(?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/sandbox/clock', options: $options);
    }

    /**
     * Move the clock of your test mode forward, and do what became due. `POST /v4/sandbox/clock/advance`
     *
     * @param AdvanceClock $body
     * @return SandboxClock
     */
    public function advanceClock(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/clock/advance', body: $body, options: $options);
    }

    /**
     * Make an event of a type, about the newest thing of yours that it could be about; nothing else happens. `POST /v4/sandbox/events/trigger`
     *
     * @param TriggerEvent $body
     * @return Event
     */
    public function triggerEvent(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/events/trigger', body: $body, options: $options);
    }

    /**
     * Decide what the gateway of a test payment says from now on, and have it call back. `POST /v4/sandbox/payments/{id}/complete`
     *
     * @param CompletePayment $body
     * @return Payment
     */
    public function completePayment(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/payments/' . rawurlencode($id) . '/complete', body: $body, options: $options);
    }

    /**
     * Make a test provider down, slow or flaky for your account, or well again. `POST /v4/sandbox/providers/outage`
     *
     * @param SetOutage $body
     * @return SandboxOutage
     */
    public function setOutage(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/providers/outage', body: $body, options: $options);
    }

    /**
     * List the outages that last in your test mode. `GET /v4/sandbox/providers/outages`
     *
     * @return SandboxOutageList
     */
    public function listOutages(?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/sandbox/providers/outages', options: $options);
    }

    /**
     * Empty all test cards and wallets, end all outages and set the clock back; history stays. `POST /v4/sandbox/reset`
     *
     * @return SandboxReset
     */
    public function reset(?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/reset', options: $options);
    }

    /**
     * List what phone numbers, customers, cardholders and the header X-Sandbox-Scenario do. `GET /v4/sandbox/scenarios`
     *
     * @return SandboxScenarios
     */
    public function listScenarios(?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/sandbox/scenarios', options: $options);
    }

    /**
     * Decide how a running test purchase ends, or take a successful one back. `POST /v4/sandbox/transactions/{id}/settle`
     *
     * @param SettleTransaction $body
     * @return Transaction
     */
    public function settleTransaction(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/transactions/' . rawurlencode($id) . '/settle', body: $body, options: $options);
    }

    /**
     * Play a payer: transfer test money to a virtual account, and have its bank call back. `POST /v4/sandbox/virtual-accounts/{id}/deposit`
     *
     * @param PayVirtualAccount $body
     * @return SandboxTransfer
     */
    public function depositIntoVirtualAccount(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/virtual-accounts/' . rawurlencode($id) . '/deposit', body: $body, options: $options);
    }

    /**
     * Put test money into a wallet. `POST /v4/sandbox/wallets/{id}/credit`
     *
     * @param CreditWallet $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function creditWallet(string $id, array $body, bool $dryRun = false, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/sandbox/wallets/' . rawurlencode($id) . '/credit', body: $body, dryRun: $dryRun, options: $options);
    }
}
