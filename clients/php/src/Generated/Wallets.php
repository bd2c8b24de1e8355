<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreateTransfer from Types
 * @phpstan-import-type CreateWallet from Types
 * @phpstan-import-type DryRunTransfer from Types
 * @phpstan-import-type Entry from Types
 * @phpstan-import-type FreezeWallet from Types
 * @phpstan-import-type HoldList from Types
 * @phpstan-import-type Statement from Types
 * @phpstan-import-type Transfer from Types
 * @phpstan-import-type UpdateWallet from Types
 * @phpstan-import-type Wallet from Types
 * @phpstan-import-type WalletDay from Types
 */
final class Wallets
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List wallets, newest first. `GET /v4/wallets`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   currency?: 'NGN'|'KES'|'GHS'|'ZAR'|'USD'|'EUR'|'GBP'|'TZS'|'ZMW'|'XOF'|'XAF'|'UGX'|'RWF'|'TND'|'LYD',
     *   status?: 'active'|'frozen'|'closed',
     *   metadata?: array<string, string>,
     * } $query
     * @return Pages<Wallet>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/wallets', query: $query, options: $options);
    }

    /**
     * Create a wallet. `POST /v4/wallets`
     *
     * @param CreateWallet $body
     * @return Wallet
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/wallets', body: $body, options: $options);
    }

    /**
     * Move money between two wallets. `POST /v4/wallets/transfer`
     *
     * @param CreateTransfer $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunTransfer : Transfer)
     */
    public function transfer(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/wallets/transfer', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * List the transfers that you made, newest first. `GET /v4/wallets/transfers`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<Transfer>
     */
    public function listTransfers(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/wallets/transfers', query: $query, options: $options);
    }

    /**
     * Fetch a transfer. `GET /v4/wallets/transfers/{id}`
     *
     * @return Transfer
     */
    public function getTransfer(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/wallets/transfers/' . rawurlencode($id), options: $options);
    }

    /**
     * Fetch a wallet and its balance, now or at a moment. `GET /v4/wallets/{id}`
     *
     * @param array{
     *   at?: string,
     * } $query
     * @return Wallet
     */
    public function get(string $id, array $query = [], ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/wallets/' . rawurlencode($id), query: $query, options: $options);
    }

    /**
     * Change the label, threshold or metadata of a wallet. `PATCH /v4/wallets/{id}`
     *
     * @param UpdateWallet $body
     * @return Wallet
     */
    public function update(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('PATCH', '/v4/wallets/' . rawurlencode($id), body: $body, options: $options);
    }

    /**
     * Close an empty wallet for good. `POST /v4/wallets/{id}/close`
     *
     * @return Wallet
     */
    public function close(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/wallets/' . rawurlencode($id) . '/close', options: $options);
    }

    /**
     * List the closed days of a wallet, newest first. `GET /v4/wallets/{id}/days`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<WalletDay>
     */
    public function listDays(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/wallets/' . rawurlencode($id) . '/days', query: $query, options: $options);
    }

    /**
     * List the ledger entries of a wallet, newest first. `GET /v4/wallets/{id}/entries`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   created_gte?: string,
     *   created_lt?: string,
     * } $query
     * @return Pages<Entry>
     */
    public function listEntries(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/wallets/' . rawurlencode($id) . '/entries', query: $query, options: $options);
    }

    /**
     * Freeze a wallet: it does not pay, takes no money, or neither, until it is unfrozen or a moment. `POST /v4/wallets/{id}/freeze`
     *
     * @param FreezeWallet $body
     * @return Wallet
     */
    public function freeze(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/wallets/' . rawurlencode($id) . '/freeze', body: $body, options: $options);
    }

    /**
     * Show what of a wallet is held, and by what. `GET /v4/wallets/{id}/holds`
     *
     * @return HoldList
     */
    public function listHolds(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/wallets/' . rawurlencode($id) . '/holds', options: $options);
    }

    /**
     * Fetch the statement of a wallet for a period, as JSON, CSV or PDF. `GET /v4/wallets/{id}/statement`
     *
     * @param array{
     *   from?: string,
     *   to?: string,
     * } $query
     * @return Statement
     */
    public function getStatement(string $id, array $query = [], ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/wallets/' . rawurlencode($id) . '/statement', query: $query, options: $options);
    }

    /**
     * Let money move in and out of a frozen wallet again. `POST /v4/wallets/{id}/unfreeze`
     *
     * @return Wallet
     */
    public function unfreeze(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/wallets/' . rawurlencode($id) . '/unfreeze', options: $options);
    }
}
