// Made by generate.mjs from docs/api/openapi.json.
import type { ApiTool } from '../tool.js';

export const TOOLS: readonly ApiTool[] = [
  {
    "name": "get_account",
    "description": "Fetch the account behind the key: name, mode, wallets and limits.",
    "isMoney": false,
    "resource": "account",
    "method": "get",
    "path": [],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_wallets",
    "description": "List wallets, newest first.",
    "isMoney": false,
    "resource": "wallets",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "currency": {
          "type": "string",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        },
        "status": {
          "type": "string",
          "enum": [
            "active",
            "frozen",
            "closed"
          ],
          "examples": [
            "active"
          ]
        },
        "metadata": {
          "type": "object",
          "description": "Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to 3.",
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_wallet",
    "description": "Fetch a wallet and its balance, now or at a moment.",
    "isMoney": false,
    "resource": "wallets",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "at": {
          "type": "string",
          "description": "Balances as they stood at this moment.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_wallet_entries",
    "description": "List the ledger entries of a wallet, newest first.",
    "isMoney": false,
    "resource": "wallets",
    "method": "listEntries",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "created_gte": {
          "type": "string",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_wallet_holds",
    "description": "Show what of a wallet is held, and by what.",
    "isMoney": false,
    "resource": "wallets",
    "method": "listHolds",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "get_wallet_statement",
    "description": "Fetch the statement of a wallet for a period, as JSON, CSV or PDF.",
    "isMoney": false,
    "resource": "wallets",
    "method": "getStatement",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "from": {
          "type": "string",
          "description": "First day, in the time zone of the account, or the moment of the beginning. Default: when the wallet was made.",
          "examples": [
            "2026-11-01"
          ]
        },
        "to": {
          "type": "string",
          "description": "Last day, in the time zone of the account, or the moment before which it ends. Default: now.",
          "examples": [
            "2026-11-01"
          ]
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_transfers",
    "description": "List the transfers that you made, newest first.",
    "isMoney": false,
    "resource": "wallets",
    "method": "listTransfers",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_transactions",
    "description": "List transactions, newest first.",
    "isMoney": false,
    "resource": "transactions",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "type": {
          "type": "string",
          "description": "One or several, by commas or repeated, of transfer_out, transfer_in, airtime_purchase, data_purchase, bill_payment, payout, card_issue, card_funding, card_withdrawal, card_fee, payment, payment_refund, conversion_out, conversion_in, deposit, reversal.",
          "examples": [
            "transfer_out,transfer_in"
          ]
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, processing, successful, failed, cancelled, reversed.",
          "examples": [
            "pending,processing"
          ]
        },
        "wallet_id": {
          "type": "string",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "direction": {
          "type": "string",
          "enum": [
            "debit",
            "credit"
          ],
          "examples": [
            "debit"
          ]
        },
        "reference": {
          "type": "string",
          "examples": [
            "order-1001"
          ]
        },
        "recipient": {
          "type": "string"
        },
        "currency": {
          "type": "string",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        },
        "needs_review": {
          "type": "boolean",
          "description": "Those that people must look at, or the others."
        },
        "amount_gte": {
          "type": "integer",
          "minimum": 0,
          "examples": [
            105000
          ]
        },
        "amount_lte": {
          "type": "integer",
          "minimum": 0,
          "examples": [
            105000
          ]
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "metadata": {
          "type": "object",
          "description": "Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to 3.",
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_transaction",
    "description": "Fetch a transaction by its id or by your reference; with its meter tokens and PINs for a key with the scope tokens:reveal.",
    "isMoney": false,
    "resource": "transactions",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "get_transaction_timeline",
    "description": "Fetch what happened to a transaction, oldest first.",
    "isMoney": false,
    "resource": "transactions",
    "method": "getTimeline",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "check_reference",
    "description": "What became of a reference.",
    "isMoney": false,
    "resource": "references",
    "method": "get",
    "path": [
      "reference"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "reference": {
          "type": "string"
        }
      },
      "required": [
        "reference"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "check_idempotency_key",
    "description": "What became of an idempotency key.",
    "isMoney": false,
    "resource": "idempotency",
    "method": "get",
    "path": [
      "key"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "key": {
          "type": "string"
        }
      },
      "required": [
        "key"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_payments",
    "description": "List payments, newest first.",
    "isMoney": false,
    "resource": "payments",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, processing, successful, failed, expired, cancelled, reversed.",
          "examples": [
            "pending,processing"
          ]
        },
        "gateway": {
          "type": "string",
          "description": "Through which it was paid.",
          "examples": [
            "sandbox_card"
          ]
        },
        "reference": {
          "type": "string",
          "examples": [
            "order-1001"
          ]
        },
        "currency": {
          "type": "string",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        },
        "wallet_id": {
          "type": "string",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "needs_review": {
          "type": "boolean",
          "description": "Those that people must look at, or the others."
        },
        "amount_gte": {
          "type": "integer",
          "minimum": 0,
          "examples": [
            105000
          ]
        },
        "amount_lte": {
          "type": "integer",
          "minimum": 0,
          "examples": [
            105000
          ]
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "metadata": {
          "type": "object",
          "description": "Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to 3.",
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_payment",
    "description": "Fetch a payment.",
    "isMoney": false,
    "resource": "payments",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_refunds",
    "description": "List refunds, newest first.",
    "isMoney": false,
    "resource": "refunds",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, processing, successful, failed, cancelled.",
          "examples": [
            "pending,processing"
          ]
        },
        "payment_id": {
          "type": "string",
          "examples": [
            "pay_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "wallet_id": {
          "type": "string",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "reference": {
          "type": "string",
          "examples": [
            "order-1001"
          ]
        },
        "needs_review": {
          "type": "boolean",
          "description": "Those that people must look at, or the others."
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_refund",
    "description": "Fetch a refund.",
    "isMoney": false,
    "resource": "refunds",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_payouts",
    "description": "List payouts, newest first.",
    "isMoney": false,
    "resource": "payouts",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "bank": {
          "type": "string",
          "description": "Code of a bank.",
          "examples": [
            "058"
          ]
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, processing, successful, failed, cancelled, reversed.",
          "examples": [
            "pending,processing"
          ]
        },
        "wallet_id": {
          "type": "string",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "reference": {
          "type": "string",
          "examples": [
            "order-1001"
          ]
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_payout",
    "description": "Fetch a payout by its id or by your reference.",
    "isMoney": false,
    "resource": "payouts",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_deposits",
    "description": "List what arrived at virtual accounts, newest first.",
    "isMoney": false,
    "resource": "deposits",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of received, credited, to_be_returned, returned, failed.",
          "examples": [
            "received,credited"
          ]
        },
        "virtual_account_id": {
          "type": "string",
          "examples": [
            "vac_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "needs_review": {
          "type": "boolean",
          "description": "Those that people must look at, or the others."
        },
        "created_gte": {
          "type": "string",
          "description": "Told of at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Told of before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_virtual_accounts",
    "description": "List virtual accounts, newest first.",
    "isMoney": false,
    "resource": "virtualAccounts",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, active, used, expired, closed, failed.",
          "examples": [
            "pending,active"
          ]
        },
        "kind": {
          "type": "string",
          "enum": [
            "permanent",
            "one_time"
          ],
          "examples": [
            "permanent"
          ]
        },
        "wallet_id": {
          "type": "string",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "customer_id": {
          "type": "string",
          "examples": [
            "cus_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "reference": {
          "type": "string",
          "examples": [
            "order-1001"
          ]
        },
        "account_number": {
          "type": "string",
          "examples": [
            "9900000001"
          ]
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_cards",
    "description": "List cards, newest first.",
    "isMoney": false,
    "resource": "cards",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, active, failed, frozen, blocked, terminated, expired.",
          "examples": [
            "pending,active"
          ]
        },
        "overdrawn": {
          "type": "boolean",
          "description": "Whether it owes money."
        },
        "needs_review": {
          "type": "boolean",
          "description": "Those that people must look at, or the others."
        },
        "customer_id": {
          "type": "string",
          "examples": [
            "cus_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "metadata": {
          "type": "object",
          "description": "Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to 3.",
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_card",
    "description": "Fetch a card and its balance.",
    "isMoney": false,
    "resource": "cards",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_card_transactions",
    "description": "List what happened on a card, newest first.",
    "isMoney": false,
    "resource": "cards",
    "method": "listTransactions",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "enum": [
            "authorized",
            "settled",
            "voided",
            "expired",
            "declined",
            "refunded"
          ],
          "examples": [
            "authorized"
          ]
        },
        "type": {
          "type": "string",
          "enum": [
            "authorization",
            "clearing",
            "refund",
            "fee",
            "dispute_credit",
            "dispute_reversal"
          ],
          "examples": [
            "authorization"
          ]
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_card_transitions",
    "description": "List every change of a card's state, with who did it and why, newest first.",
    "isMoney": false,
    "resource": "cards",
    "method": "listTransitions",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_disputes",
    "description": "List disputes, newest first.",
    "isMoney": false,
    "resource": "disputes",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of open, under_review, won, lost, withdrawn.",
          "examples": [
            "open,under_review"
          ]
        },
        "card_id": {
          "type": "string",
          "examples": [
            "crd_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "card_transaction_id": {
          "type": "string",
          "examples": [
            "ctx_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "needs_review": {
          "type": "boolean",
          "description": "Those that people must look at, or the others."
        },
        "created_gte": {
          "type": "string",
          "description": "Created at or after.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "description": "Created before.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_dispute",
    "description": "Fetch a dispute.",
    "isMoney": false,
    "resource": "disputes",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_batches",
    "description": "List batches, newest first.",
    "isMoney": false,
    "resource": "batches",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of validating, scheduled, running, paused, completed, invalid, failed, cancelled.",
          "examples": [
            "validating,scheduled"
          ]
        },
        "kind": {
          "type": "string",
          "enum": [
            "airtime",
            "data",
            "bill",
            "transfer",
            "payout"
          ],
          "examples": [
            "airtime"
          ]
        },
        "reference": {
          "type": "string",
          "examples": [
            "order-1001"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_batch",
    "description": "Fetch a batch.",
    "isMoney": false,
    "resource": "batches",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_batch_items",
    "description": "List the rows of a batch, in their order.",
    "isMoney": false,
    "resource": "batches",
    "method": "listItems",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "description": "One or several, by commas or repeated, of pending, valid, invalid, processing, successful, failed, cancelled.",
          "examples": [
            "pending,valid"
          ]
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_events",
    "description": "List events, newest first, or follow them in the order of commits.",
    "isMoney": false,
    "resource": "events",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "type": {
          "type": "string",
          "description": "One or several, by commas or repeated: types, or all of a resource (`card.*`).",
          "examples": [
            "transfer.successful,card.*"
          ]
        },
        "created_gte": {
          "type": "string",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "created_lt": {
          "type": "string",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "order": {
          "type": "string",
          "description": "`asc`: in the order of commits, to be followed without gaps: `next_cursor` is always there, and `Prefer: wait=N` holds the answer back until there is something.",
          "enum": [
            "asc",
            "desc"
          ],
          "examples": [
            "asc"
          ]
        },
        "after": {
          "type": "string",
          "description": "With `order=asc`: the `next_cursor` to go on from, however long ago it was given."
        },
        "delivery_success": {
          "type": "boolean",
          "description": "true: delivered to all endpoints that were to be told. false: to one of them not, or not yet. Not with `order=asc`."
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "get_event",
    "description": "Fetch an event.",
    "isMoney": false,
    "resource": "events",
    "method": "get",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_webhook_endpoints",
    "description": "List webhook endpoints, newest first.",
    "isMoney": false,
    "resource": "webhooks",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "enum": [
            "enabled",
            "disabled"
          ],
          "examples": [
            "enabled"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_webhook_deliveries",
    "description": "List the deliveries to a webhook endpoint, newest first.",
    "isMoney": false,
    "resource": "webhooks",
    "method": "listDeliveries",
    "path": [
      "id"
    ],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "status": {
          "type": "string",
          "enum": [
            "pending",
            "retrying",
            "delivered",
            "exhausted",
            "disabled",
            "aborted"
          ],
          "examples": [
            "pending"
          ]
        },
        "event_id": {
          "type": "string",
          "description": "Deliveries of one event. When there are none, `not_sent` says why.",
          "examples": [
            "evt_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "type": {
          "type": "string",
          "description": "Of events of these types, by commas or repeated: types, or all of a resource (`card.*`).",
          "examples": [
            "transfer.successful,card.*"
          ]
        },
        "http_status": {
          "type": "string",
          "description": "What the last attempt was answered with.",
          "examples": [
            "503"
          ]
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "get_webhook_delivery",
    "description": "Fetch a delivery and its attempts.",
    "isMoney": false,
    "resource": "webhooks",
    "method": "getDelivery",
    "path": [
      "id"
    ],
    "sends": null,
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "look_up_phone",
    "description": "Tell the network of a phone number.",
    "isMoney": false,
    "resource": "phone",
    "method": "lookUp",
    "path": [],
    "sends": "query",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "phone": {
          "type": "string",
          "description": "In E.164 form, with or without `+`, or in local form: of `country`, else of the country of the paying wallet's currency.",
          "examples": [
            "+2348031234567"
          ]
        },
        "country": {
          "type": "string",
          "description": "ISO 3166-1 alpha-2. Needed for a number in local form.",
          "examples": [
            "NG"
          ]
        }
      },
      "required": [
        "phone"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_airtime_networks",
    "description": "List the mobile networks, by country and slug.",
    "isMoney": false,
    "resource": "airtime",
    "method": "listNetworks",
    "path": [],
    "sends": "query",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "country": {
          "type": "string",
          "description": "ISO 3166-1 alpha-2. Without it: the networks of all countries.",
          "examples": [
            "NG"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_data_plans",
    "description": "List the data plans on sale, by code.",
    "isMoney": false,
    "resource": "data",
    "method": "listPlans",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "network": {
          "type": "string",
          "description": "Slug or alias, as in GET /v4/airtime/networks; capitals or not.",
          "examples": [
            "mtn"
          ]
        },
        "country": {
          "type": "string",
          "description": "ISO 3166-1 alpha-2.",
          "examples": [
            "NG"
          ]
        },
        "type": {
          "type": "string",
          "enum": [
            "direct",
            "sme",
            "corporate_gifting",
            "gifting",
            "social",
            "broadband"
          ],
          "examples": [
            "direct"
          ]
        },
        "q": {
          "type": "string",
          "description": "Words that the name or the code must have.",
          "examples": [
            "1 gb month"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_billers",
    "description": "List billers by their codes.",
    "isMoney": false,
    "resource": "bills",
    "method": "listBillers",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "category": {
          "type": "string",
          "examples": [
            "electricity"
          ]
        },
        "country": {
          "type": "string",
          "description": "ISO 3166-1 alpha-2.",
          "examples": [
            "NG"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_biller_items",
    "description": "List what a biller sells.",
    "isMoney": false,
    "resource": "bills",
    "method": "listBillerItems",
    "path": [
      "code"
    ],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "code": {
          "type": "string"
        },
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        }
      },
      "required": [
        "code"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "validate_bill_customer",
    "description": "Ask a biller who a customer is, before paying.",
    "isMoney": false,
    "resource": "bills",
    "method": "validate",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "biller_code": {
          "type": "string",
          "examples": [
            "ikeja-electric"
          ]
        },
        "item_code": {
          "type": [
            "string",
            "null"
          ],
          "description": "What is to be bought; it narrows the bounds of the amount.",
          "examples": [
            "prepaid"
          ]
        },
        "customer_identifier": {
          "type": "string",
          "description": "The customer's number, as the biller's `customer_field` describes it.",
          "examples": [
            "1111111111111"
          ]
        },
        "service_type": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of the biller's `service_types`.",
          "examples": [
            "prepaid"
          ]
        }
      },
      "required": [
        "biller_code",
        "customer_identifier"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_banks",
    "description": "List the banks that money can be sent to, by code.",
    "isMoney": false,
    "resource": "banks",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "country": {
          "type": "string",
          "description": "ISO 3166-1 alpha-2.",
          "examples": [
            "NG"
          ]
        },
        "q": {
          "type": "string",
          "description": "Part of the name, or the code.",
          "examples": [
            "guaranty"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "resolve_bank_account",
    "description": "Ask a bank whose account it is, before paying.",
    "isMoney": false,
    "resource": "banks",
    "method": "resolve",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "bank_code": {
          "type": "string",
          "description": "One of `GET /v4/banks`.",
          "examples": [
            "058"
          ]
        },
        "account_number": {
          "type": "string",
          "description": "As the bank's `account_pattern` describes it.",
          "examples": [
            "0123456789"
          ]
        }
      },
      "required": [
        "bank_code",
        "account_number"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "list_beneficiaries",
    "description": "List beneficiaries, newest first.",
    "isMoney": false,
    "resource": "beneficiaries",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": true,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "limit": {
          "type": "integer",
          "description": "Rows of a page.",
          "minimum": 1
        },
        "cursor": {
          "type": "string",
          "description": "`next_cursor` of the page before."
        },
        "kind": {
          "type": "string",
          "enum": [
            "bank_account",
            "phone",
            "meter",
            "smartcard",
            "wallet"
          ],
          "examples": [
            "bank_account"
          ]
        },
        "q": {
          "type": "string",
          "description": "Part of the label, of the verified name, or of the number: of the account, phone, meter, smartcard or wallet.",
          "examples": [
            "okafor"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "list_rates",
    "description": "List what currencies are quoted at now.",
    "isMoney": false,
    "resource": "rates",
    "method": "list",
    "path": [],
    "sends": "query",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "from": {
          "type": "string",
          "description": "What is sold.",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        },
        "to": {
          "type": "string",
          "description": "What is bought.",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "create_quote",
    "description": "Have the price of a conversion promised for a minute.",
    "isMoney": false,
    "resource": "quotes",
    "method": "create",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "from_currency": {
          "type": "string",
          "description": "What you sell.",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        },
        "to_currency": {
          "type": "string",
          "description": "What you buy.",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD"
          ],
          "examples": [
            "NGN"
          ]
        },
        "amount": {
          "type": "integer",
          "description": "Minor units of the currency that you sell, or buy, as `side` says.",
          "minimum": 1,
          "examples": [
            105000
          ]
        },
        "side": {
          "type": [
            "string",
            "null"
          ],
          "description": "Whether `amount` is what you sell or what you buy; `sell` by default.",
          "enum": [
            "sell",
            "buy",
            null
          ],
          "examples": [
            "sell"
          ]
        }
      },
      "required": [
        "from_currency",
        "to_currency",
        "amount"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "buy_airtime",
    "description": "Send airtime to a phone. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "airtime",
    "method": "purchase",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "wallet_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "The wallet that pays. Without it: your oldest active wallet in the currency. Needed to convert.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "quote_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this quote: it must buy exactly what this costs.",
          "examples": [
            "qte_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "convert": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this moment.",
          "examples": [
            false
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "deliver_by": {
          "type": [
            "string",
            "null"
          ],
          "description": "No attempt starts after this; the purchase is cancelled then.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "on_insufficient_funds": {
          "type": [
            "string",
            "null"
          ],
          "description": "`queue` waits for money until `deliver_by`, which it needs.",
          "enum": [
            "fail",
            "queue",
            null
          ],
          "examples": [
            "fail"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "phone": {
          "type": [
            "string",
            "null"
          ],
          "description": "In E.164 form, with or without `+`, or in local form: of `country`, else of the country of the paying wallet's currency. Needed unless `beneficiary_id` is sent.",
          "examples": [
            "+2348031234567"
          ]
        },
        "beneficiary_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of `GET /v4/beneficiaries` of the kind `phone`, instead of `phone`.",
          "examples": [
            "ben_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "country": {
          "type": [
            "string",
            "null"
          ],
          "description": "ISO 3166-1 alpha-2. Without it a number in local form is one of the country of the paying wallet's currency. Left out with `beneficiary_id`.",
          "examples": [
            "NG"
          ]
        },
        "amount": {
          "type": "integer",
          "description": "Minor units of the network's currency; `min_amount` to `max_amount` of the network.",
          "minimum": 1,
          "examples": [
            105000
          ]
        },
        "network": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of `GET /v4/airtime/networks`. Without it: that of the beneficiary, or whose range the number is from.",
          "examples": [
            "mtn"
          ]
        },
        "on_network_mismatch": {
          "type": [
            "string",
            "null"
          ],
          "description": "What to do when the number's range says another network than `network`.",
          "enum": [
            "reject",
            "use_given",
            "use_detected",
            null
          ],
          "examples": [
            "reject"
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "amount"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "buy_data",
    "description": "Send a data plan to a phone. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "data",
    "method": "purchase",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "wallet_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "The wallet that pays. Without it: your oldest active wallet in the currency. Needed to convert.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "quote_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this quote: it must buy exactly what this costs.",
          "examples": [
            "qte_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "convert": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this moment.",
          "examples": [
            false
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "deliver_by": {
          "type": [
            "string",
            "null"
          ],
          "description": "No attempt starts after this; the purchase is cancelled then.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "on_insufficient_funds": {
          "type": [
            "string",
            "null"
          ],
          "description": "`queue` waits for money until `deliver_by`, which it needs.",
          "enum": [
            "fail",
            "queue",
            null
          ],
          "examples": [
            "fail"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "phone": {
          "type": [
            "string",
            "null"
          ],
          "description": "In E.164 form, with or without `+`, or in local form: of `country`, else of the country of the paying wallet's currency. Needed unless `beneficiary_id` is sent.",
          "examples": [
            "+2348031234567"
          ]
        },
        "beneficiary_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of `GET /v4/beneficiaries` of the kind `phone`, instead of `phone`.",
          "examples": [
            "ben_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "country": {
          "type": [
            "string",
            "null"
          ],
          "description": "ISO 3166-1 alpha-2, of a number in local form. Without it: the plan's. Left out with `beneficiary_id`.",
          "examples": [
            "NG"
          ]
        },
        "plan_code": {
          "type": "string",
          "description": "`plan_code` of GET /v4/data/plans.",
          "examples": [
            "mtn-sme-1gb-1m"
          ]
        },
        "amount": {
          "type": [
            "integer",
            "null"
          ],
          "description": "Minor units. Refuse the purchase unless the plan has this price.",
          "minimum": 1,
          "examples": [
            59000
          ]
        },
        "network": {
          "type": [
            "string",
            "null"
          ],
          "description": "Slug or alias. Refuse the purchase unless it is the plan's network.",
          "examples": [
            "mtn"
          ]
        },
        "on_network_mismatch": {
          "type": [
            "string",
            "null"
          ],
          "description": "What to do with a number whose range is of another network than the plan. Only `use_given` sells the plan to it: the number may have been ported.",
          "enum": [
            "reject",
            "use_given",
            "use_detected",
            null
          ],
          "examples": [
            "reject"
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "plan_code"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "pay_bill",
    "description": "Pay a bill, or buy a meter token, a package or PINs. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "bills",
    "method": "pay",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "wallet_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "The wallet that pays. Without it: your oldest active wallet in the currency. Needed to convert.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "quote_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this quote: it must buy exactly what this costs.",
          "examples": [
            "qte_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "convert": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this moment.",
          "examples": [
            false
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "deliver_by": {
          "type": [
            "string",
            "null"
          ],
          "description": "No attempt starts after this; the purchase is cancelled then.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "on_insufficient_funds": {
          "type": [
            "string",
            "null"
          ],
          "description": "`queue` waits for money until `deliver_by`, which it needs.",
          "enum": [
            "fail",
            "queue",
            null
          ],
          "examples": [
            "fail"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "biller_code": {
          "type": [
            "string",
            "null"
          ],
          "description": "Needed unless `beneficiary_id` is sent.",
          "examples": [
            "ikeja-electric"
          ]
        },
        "item_code": {
          "type": [
            "string",
            "null"
          ],
          "description": "What is bought; needed where the biller sells more than one thing and the beneficiary has none.",
          "examples": [
            "prepaid"
          ]
        },
        "customer_identifier": {
          "type": [
            "string",
            "null"
          ],
          "description": "The customer's number, as the biller's `customer_field` describes it. Needed unless `beneficiary_id` is sent.",
          "examples": [
            "1111111111111"
          ]
        },
        "beneficiary_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of `GET /v4/beneficiaries` of the kind `meter` or `smartcard`, instead of `biller_code` and `customer_identifier`. Without `validation_id` the biller is asked who it is, where it must be.",
          "examples": [
            "ben_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "validation_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "From `POST /v4/bills/validate`, for the same biller and customer; needed where the biller says so.",
          "examples": [
            "val_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "service_type": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of the biller's `service_types`; needed unless the validation or the item names it.",
          "examples": [
            "prepaid"
          ]
        },
        "amount": {
          "type": [
            "integer",
            "null"
          ],
          "description": "Minor units. Of an item with a fixed price it must be price × quantity, if it is sent.",
          "minimum": 1,
          "examples": [
            105000
          ]
        },
        "quantity": {
          "type": [
            "integer",
            "null"
          ],
          "description": "Months of a package, or PINs; at most the item's `max_quantity`.",
          "minimum": 1,
          "examples": [
            1
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [],
      "additionalProperties": false
    }
  },
  {
    "name": "transfer_between_wallets",
    "description": "Move money between two wallets. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "wallets",
    "method": "transfer",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "from_wallet": {
          "type": "string",
          "description": "The wallet that pays; one of yours.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "to_wallet": {
          "type": [
            "string",
            "null"
          ],
          "description": "Any active wallet of the same mode and currency, yours or not. Needed unless `beneficiary_id` is sent.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "beneficiary_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of `GET /v4/beneficiaries` of the kind `wallet`, instead of `to_wallet`.",
          "examples": [
            "ben_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "amount": {
          "type": "integer",
          "description": "Minor units (kobo, cents).",
          "minimum": 1,
          "examples": [
            105000
          ]
        },
        "currency": {
          "type": [
            "string",
            "null"
          ],
          "description": "Refuse the transfer unless the wallets have this currency.",
          "enum": [
            "NGN",
            "KES",
            "GHS",
            "ZAR",
            "USD",
            "EUR",
            "GBP",
            "TZS",
            "ZMW",
            "XOF",
            "XAF",
            "UGX",
            "RWF",
            "TND",
            "LYD",
            null
          ],
          "examples": [
            "NGN"
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "narration": {
          "type": [
            "string",
            "null"
          ],
          "description": "Shown to both sides.",
          "examples": [
            "Float top-up"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "from_wallet",
        "amount"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "create_payout",
    "description": "Send money to a bank account. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "payouts",
    "method": "create",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "wallet_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "The wallet that pays. Without it: your oldest active wallet in the currency. Needed to convert.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "quote_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this quote: it must buy exactly what this costs.",
          "examples": [
            "qte_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "convert": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this moment.",
          "examples": [
            false
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "deliver_by": {
          "type": [
            "string",
            "null"
          ],
          "description": "No attempt starts after this; the purchase is cancelled then.",
          "examples": [
            "2026-11-01T00:00:00.000Z"
          ]
        },
        "on_insufficient_funds": {
          "type": [
            "string",
            "null"
          ],
          "description": "`queue` waits for money until `deliver_by`, which it needs.",
          "enum": [
            "fail",
            "queue",
            null
          ],
          "examples": [
            "fail"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "amount": {
          "type": "integer",
          "description": "Minor units of the bank's currency: what arrives.",
          "minimum": 1,
          "examples": [
            105000
          ]
        },
        "bank": {
          "description": "Who is paid. Needed unless `beneficiary_id` is sent.",
          "anyOf": [
            {
              "type": "object",
              "required": [
                "code",
                "account_number"
              ],
              "additionalProperties": false,
              "properties": {
                "code": {
                  "type": "string",
                  "description": "One of `GET /v4/banks`.",
                  "examples": [
                    "058"
                  ]
                },
                "account_number": {
                  "type": "string",
                  "description": "As the bank's `account_pattern` describes it.",
                  "examples": [
                    "0123456789"
                  ]
                }
              }
            },
            {
              "type": "null"
            }
          ]
        },
        "beneficiary_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "One of `GET /v4/beneficiaries` of the kind `bank_account`, instead of `bank`.",
          "examples": [
            "ben_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "account_name": {
          "type": [
            "string",
            "null"
          ],
          "description": "Refuse the payout unless the bank says this name, in any order and spelling of capitals.",
          "examples": [
            "Adaeze Okafor"
          ]
        },
        "narration": {
          "type": [
            "string",
            "null"
          ],
          "description": "For whoever receives.",
          "examples": [
            "Salary of May"
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "amount"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "convert",
    "description": "Convert money between two of your wallets, as a quote says. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "conversions",
    "method": "create",
    "path": [],
    "sends": "body",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "quote_id": {
          "type": "string",
          "description": "A quote that is still good.",
          "examples": [
            "qte_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "from_wallet": {
          "type": "string",
          "description": "Your wallet that pays what is sold.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "to_wallet": {
          "type": "string",
          "description": "Your wallet that gets what is bought.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "quote_id",
        "from_wallet",
        "to_wallet"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "fund_card",
    "description": "Put money from a wallet onto a card. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "cards",
    "method": "fund",
    "path": [
      "id"
    ],
    "sends": "body",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "amount": {
          "type": "integer",
          "description": "Cents.",
          "minimum": 1,
          "examples": [
            5000
          ]
        },
        "wallet_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "A USD wallet of yours. Without it: the one that paid the card.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "quote_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this quote: it must buy exactly what this costs.",
          "examples": [
            "qte_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "convert": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Pay from a wallet of another currency, at the rate of this moment.",
          "examples": [
            false
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "id",
        "amount"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "withdraw_from_card",
    "description": "Take money from a card back into a wallet. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "cards",
    "method": "withdraw",
    "path": [
      "id"
    ],
    "sends": "body",
    "isPaged": false,
    "canWait": false,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "amount": {
          "type": "integer",
          "description": "Cents.",
          "minimum": 1,
          "examples": [
            5000
          ]
        },
        "wallet_id": {
          "type": [
            "string",
            "null"
          ],
          "description": "A USD wallet of yours. Without it: the one that paid the card.",
          "examples": [
            "wal_01kabcdefghjkmnpqrstvwxyz0"
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "id",
        "amount"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "create_refund",
    "description": "Give a payment back to its payer, or a part of it. Moves nothing at first: answers with what would happen, and a confirmation_token for the second call.",
    "isMoney": true,
    "resource": "payments",
    "method": "createRefund",
    "path": [
      "id"
    ],
    "sends": "body",
    "isPaged": false,
    "canWait": true,
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "amount": {
          "type": [
            "integer",
            "null"
          ],
          "description": "What goes back to the payer, in minor units. All that is left when absent.",
          "minimum": 1,
          "examples": [
            105000
          ]
        },
        "reason": {
          "type": [
            "string",
            "null"
          ],
          "description": "Told to the gateway.",
          "examples": [
            "Returned goods"
          ]
        },
        "reference": {
          "type": [
            "string",
            "null"
          ],
          "examples": [
            "order-1001"
          ]
        },
        "metadata": {
          "type": [
            "object",
            "null"
          ],
          "additionalProperties": {
            "type": "string"
          },
          "examples": [
            {
              "order": "1001"
            }
          ]
        },
        "allow_duplicate": {
          "type": [
            "boolean",
            "null"
          ],
          "description": "Let a request through that looks like a repetition of one of the last two minutes.",
          "examples": [
            false
          ]
        },
        "confirmation_token": {
          "type": "string",
          "description": "Of the answer to the same call without it. Only after a person has agreed to what that answer said would happen."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    }
  }
];
