<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type Beneficiary from Types
 * @phpstan-import-type CreateBeneficiary from Types
 * @phpstan-import-type UpdateBeneficiary from Types
 */
final class Beneficiaries
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List beneficiaries, newest first. `GET /v4/beneficiaries`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   kind?: 'bank_account'|'phone'|'meter'|'smartcard'|'wallet',
     *   q?: string,
     * } $query
     * @return Pages<Beneficiary>
     */
    public function list(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/beneficiaries', query: $query, options: $options);
    }

    /**
     * Keep somebody whom you pay again and again. `POST /v4/beneficiaries`
     *
     * @param CreateBeneficiary $body
     * @return Beneficiary
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/beneficiaries', body: $body, options: $options);
    }

    /**
     * Fetch a beneficiary. `GET /v4/beneficiaries/{id}`
     *
     * @return Beneficiary
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/beneficiaries/' . rawurlencode($id), options: $options);
    }

    /**
     * Change the label or metadata of a beneficiary. `PATCH /v4/beneficiaries/{id}`
     *
     * @param UpdateBeneficiary $body
     * @return Beneficiary
     */
    public function update(string $id, array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('PATCH', '/v4/beneficiaries/' . rawurlencode($id), body: $body, options: $options);
    }

    /**
     * Delete a beneficiary: nothing is paid to it any more. `DELETE /v4/beneficiaries/{id}`
     *
     * @return Beneficiary
     */
    public function delete(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('DELETE', '/v4/beneficiaries/' . rawurlencode($id), options: $options);
    }
}
