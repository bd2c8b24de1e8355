<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type CreateCustomer from Types
 * @phpstan-import-type Customer from Types
 * @phpstan-import-type UpdateCustomer from Types
 * @phpstan-import-type VerifyCustomer from Types
 */
final class Customers
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List cardholders, newest first. `GET /v4/customers`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   kyc_tier?: 0|1|2|3,
     *   metadata?: array<string, string>,
     * } $query
     * @return Pages<Customer>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/customers', query: $query, options: $options);
    }

    /**
     * Register a cardholder. `POST /v4/customers`
     *
     * @param CreateCustomer $body
     * @return Customer
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/customers', body: $body, options: $options);
    }

    /**
     * Fetch a cardholder. `GET /v4/customers/{id}`
     *
     * @return Customer
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/customers/' . rawurlencode($id), options: $options);
    }

    /**
     * Change what is known of a cardholder. `PATCH /v4/customers/{id}`
     *
     * @param UpdateCustomer $body
     * @return Customer
     */
    public function update(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('PATCH', '/v4/customers/' . rawurlencode($id), body: $body, options: $options);
    }

    /**
     * Find out whether a cardholder is who they say. `POST /v4/customers/{id}/verify`
     *
     * @param VerifyCustomer $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return Customer
     */
    public function verify(string $id, array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/customers/' . rawurlencode($id) . '/verify', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }
}
