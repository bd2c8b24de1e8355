<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreatePayment from Types
 * @phpstan-import-type CreateRefund from Types
 * @phpstan-import-type DryRunPayment from Types
 * @phpstan-import-type DryRunRefund from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type PaymentStatus from Types
 * @phpstan-import-type Refund from Types
 */
final class Payments
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List payments, newest first. `GET /api/v1/payments`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   status?: string,
     *   gateway?: string,
     *   reference?: string,
     *   currency?: 'NGN'|'KES'|'GHS'|'ZAR'|'USD'|'EUR'|'GBP'|'TZS'|'ZMW'|'XOF'|'XAF'|'UGX'|'RWF'|'TND'|'LYD',
     *   wallet_id?: string,
     *   needs_review?: bool,
     *   amount_gte?: int,
     *   amount_lte?: int,
     *   created_gte?: string,
     *   created_lt?: string,
     *   metadata?: array<string, string>,
     * } $query
     * @return Pages<Payment>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/api/v1/payments', query: $query, options: $options);
    }

    /**
     * Ask somebody to pay into one of your wallets. `POST /api/v1/payments`
     *
     * @param CreatePayment $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @return ($dryRun is true ? DryRunPayment : Payment)
     */
    public function create(array $body, bool $dryRun = false, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/api/v1/payments', body: $body, dryRun: $dryRun, options: $options);
    }

    /**
     * Fetch a payment. `GET /api/v1/payments/{id}`
     *
     * @return Payment
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/api/v1/payments/' . rawurlencode($id), options: $options);
    }

    /**
     * Cancel a payment that nobody has paid yet. `POST /api/v1/payments/{id}/cancel`
     *
     * @return Payment
     */
    public function cancel(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/api/v1/payments/' . rawurlencode($id) . '/cancel', options: $options);
    }

    /**
     * List the refunds of a payment, newest first. `GET /api/v1/payments/{id}/refunds`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<Refund>
     */
    public function listRefunds(string $id, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/api/v1/payments/' . rawurlencode($id) . '/refunds', query: $query, options: $options);
    }

    /**
     * Give a payment back to its payer, or a part of it. `POST /api/v1/payments/{id}/refunds`
     *
     * @param CreateRefund $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunRefund : Refund)
     */
    public function createRefund(string $id, array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/api/v1/payments/' . rawurlencode($id) . '/refunds', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * Check the status of a payment. `GET /api/v1/payments/{id}/status`
     *
     * @return PaymentStatus
     */
    public function getStatus(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/api/v1/payments/' . rawurlencode($id) . '/status', options: $options);
    }
}
