<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

use Duka\Client;

/** Every resource of the service. */
abstract class Resources
{
    public const VERSION = '0.1.0';

    /** @internal Fields of bodies that are objects, even when they are empty. */
    public const OBJECTS = ['address', 'bank', 'customer', 'evidence', 'filters', 'headers', 'identity', 'merchant', 'metadata', 'meter', 'phone', 'smartcard', 'spending_controls', 'wallet'];

    public readonly Payments $payments;
    public readonly Refunds $refunds;
    public readonly Account $account;
    public readonly Airtime $airtime;
    public readonly Banks $banks;
    public readonly Batches $batches;
    public readonly Beneficiaries $beneficiaries;
    public readonly Bills $bills;
    public readonly CardTransactions $cardTransactions;
    public readonly Cards $cards;
    public readonly Conversions $conversions;
    public readonly Customers $customers;
    public readonly Data $data;
    public readonly Deposits $deposits;
    public readonly Disputes $disputes;
    public readonly Events $events;
    public readonly Idempotency $idempotency;
    public readonly Payouts $payouts;
    public readonly Phone $phone;
    public readonly Quotes $quotes;
    public readonly Rates $rates;
    public readonly References $references;
    public readonly Reports $reports;
    public readonly RequestLogs $requestLogs;
    public readonly Sandbox $sandbox;
    public readonly Transactions $transactions;
    public readonly VirtualAccounts $virtualAccounts;
    public readonly Wallets $wallets;
    public readonly Webhooks $webhooks;

    /** @internal */
    public function __construct(Client $client)
    {
        $this->payments = new Payments($client);
        $this->refunds = new Refunds($client);
        $this->account = new Account($client);
        $this->airtime = new Airtime($client);
        $this->banks = new Banks($client);
        $this->batches = new Batches($client);
        $this->beneficiaries = new Beneficiaries($client);
        $this->bills = new Bills($client);
        $this->cardTransactions = new CardTransactions($client);
        $this->cards = new Cards($client);
        $this->conversions = new Conversions($client);
        $this->customers = new Customers($client);
        $this->data = new Data($client);
        $this->deposits = new Deposits($client);
        $this->disputes = new Disputes($client);
        $this->events = new Events($client);
        $this->idempotency = new Idempotency($client);
        $this->payouts = new Payouts($client);
        $this->phone = new Phone($client);
        $this->quotes = new Quotes($client);
        $this->rates = new Rates($client);
        $this->references = new References($client);
        $this->reports = new Reports($client);
        $this->requestLogs = new RequestLogs($client);
        $this->sandbox = new Sandbox($client);
        $this->transactions = new Transactions($client);
        $this->virtualAccounts = new VirtualAccounts($client);
        $this->wallets = new Wallets($client);
        $this->webhooks = new Webhooks($client);
    }
}
