<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\CallOptions;
use Duka\Client;
use Duka\Pages;

/**
 * @phpstan-import-type BillCategoryList from Types
 * @phpstan-import-type BillValidation from Types
 * @phpstan-import-type Biller from Types
 * @phpstan-import-type BillerItem from Types
 * @phpstan-import-type DryRunTransaction from Types
 * @phpstan-import-type PayBill from Types
 * @phpstan-import-type Transaction from Types
 * @phpstan-import-type ValidateCustomer from Types
 */
final class Bills
{
    /** @internal */
    public function __construct(private readonly Client $client)
    {
    }

    /**
     * List billers by their codes. `GET /v4/bills/billers`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     *   category?: string,
     *   country?: string,
     * } $query
     * @return Pages<Biller>
     */
    public function listBillers(array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/bills/billers', query: $query, options: $options);
    }

    /**
     * List what a biller sells. `GET /v4/bills/billers/{code}/items`
     *
     * @param array{
     *   limit?: int,
     *   cursor?: string,
     * } $query
     * @return Pages<BillerItem>
     */
    public function listBillerItems(string $code, array $query = [], ?CallOptions $options = null): Pages
    {
        return $this->client->pages('/v4/bills/billers/' . rawurlencode($code) . '/items', query: $query, options: $options);
    }

    /**
     * List the categories of billers. `GET /v4/bills/categories`
     *
     * @return BillCategoryList
     */
    public function listCategories(?CallOptions $options = null): array
    {
        return $this->client->call('GET', '/v4/bills/categories', options: $options);
    }

    /**
     * Pay a bill, or buy a meter token, a package or PINs. `POST /v4/bills/pay`
     *
     * @param PayBill $body
     * @param bool $dryRun nothing is written: the answer is what would be
     * @param ?int $wait seconds, 0 to 30, that the answer may be held back for a final result
     * @return ($dryRun is true ? DryRunTransaction : Transaction)
     */
    public function pay(array $body, bool $dryRun = false, ?int $wait = null, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/bills/pay', body: $body, dryRun: $dryRun, wait: $wait, options: $options);
    }

    /**
     * Ask a biller who a customer is, before paying. `POST /v4/bills/validate`
     *
     * @param ValidateCustomer $body
     * @return BillValidation
     */
    public function validate(array $body, ?CallOptions $options = null): array
    {
        return $this->client->call('POST', '/v4/bills/validate', body: $body, options: $options);
    }
}
