<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;

/**
 * @phpstan-import-type CreateQuote from Types
 * @phpstan-import-type Quote from Types
 */
final class Quotes
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * Have the price of a conversion promised for a minute. `POST /v4/quotes`
     *
     * @param CreateQuote $body
     * @return Quote
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/quotes', body: $body, options: $options);
    }

    /**
     * Fetch a quote. `GET /v4/quotes/{id}`
     *
     * @return Quote
     */
    public function get(string $id, ?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/quotes/' . rawurlencode($id), options: $options);
    }
}
