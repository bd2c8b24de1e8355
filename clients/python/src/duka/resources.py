# Made by generate.mjs from docs/api/openapi.json and docs/errors.md.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, overload
from urllib.parse import quote

from . import types as t

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .client import CallOptions, Client, WaitOptions
    from .pages import Pages


def part(value: str) -> str:
    return quote(value, safe="")


class Resource:
    def __init__(self, client: Client) -> None:
        self._client = client


class Payments(Resource):
    def list(
        self,
        query: Optional[t.ListPaymentsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Payment, t.PaymentList]:
        """List payments, newest first. `GET /api/v1/payments`"""
        return self._client.pages("/api/v1/payments", query, options)

    @overload
    def create(
        self,
        body: t.CreatePayment,
        *,
        dry_run: Literal[True],
        **options: Unpack[CallOptions],
    ) -> t.DryRunPayment: ...

    @overload
    def create(
        self,
        body: t.CreatePayment,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[CallOptions],
    ) -> t.Payment: ...

    def create(
        self,
        body: t.CreatePayment,
        *,
        dry_run: bool = False,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Ask somebody to pay into one of your wallets. `POST /api/v1/payments`"""
        return self._client.call(
            "POST",
            "/api/v1/payments",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Payment:
        """Fetch a payment. `GET /api/v1/payments/{id}`"""
        answer: t.Payment = self._client.call(
            "GET",
            f"/api/v1/payments/{part(id)}",
            **options,
        )
        return answer

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> t.Payment:
        """Cancel a payment that nobody has paid yet. `POST
        /api/v1/payments/{id}/cancel`
        """
        answer: t.Payment = self._client.call(
            "POST",
            f"/api/v1/payments/{part(id)}/cancel",
            **options,
        )
        return answer

    def list_refunds(
        self,
        id: str,
        query: Optional[t.ListPaymentRefundsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Refund, t.RefundList]:
        """List the refunds of a payment, newest first. `GET
        /api/v1/payments/{id}/refunds`
        """
        return self._client.pages(
            f"/api/v1/payments/{part(id)}/refunds",
            query,
            options,
        )

    @overload
    def create_refund(
        self,
        id: str,
        body: t.CreateRefund,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunRefund: ...

    @overload
    def create_refund(
        self,
        id: str,
        body: t.CreateRefund,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Refund: ...

    def create_refund(
        self,
        id: str,
        body: t.CreateRefund,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Give a payment back to its payer, or a part of it. `POST
        /api/v1/payments/{id}/refunds`
        """
        return self._client.call(
            "POST",
            f"/api/v1/payments/{part(id)}/refunds",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def get_status(self, id: str, **options: Unpack[CallOptions]) -> t.PaymentStatus:
        """Check the status of a payment. `GET /api/v1/payments/{id}/status`"""
        answer: t.PaymentStatus = self._client.call(
            "GET",
            f"/api/v1/payments/{part(id)}/status",
            **options,
        )
        return answer


class Refunds(Resource):
    def list(
        self,
        query: Optional[t.ListRefundsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Refund, t.RefundList]:
        """List refunds, newest first. `GET /api/v1/refunds`"""
        return self._client.pages("/api/v1/refunds", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Refund:
        """Fetch a refund. `GET /api/v1/refunds/{id}`"""
        answer: t.Refund = self._client.call(
            "GET",
            f"/api/v1/refunds/{part(id)}",
            **options,
        )
        return answer


class Account(Resource):
    def get(self, **options: Unpack[CallOptions]) -> t.Account:
        """Fetch the account behind the key: name, mode, wallets and limits. `GET
        /v4/account`
        """
        answer: t.Account = self._client.call("GET", "/v4/account", **options)
        return answer


class Airtime(Resource):
    def list_networks(
        self,
        query: Optional[t.ListAirtimeNetworksQuery] = None,
        **options: Unpack[CallOptions],
    ) -> t.NetworkList:
        """List the mobile networks, by country and slug. `GET /v4/airtime/networks`"""
        answer: t.NetworkList = self._client.call(
            "GET",
            "/v4/airtime/networks",
            query=query,
            **options,
        )
        return answer

    @overload
    def purchase(
        self,
        body: t.BuyAirtime,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def purchase(
        self,
        body: t.BuyAirtime,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Transaction: ...

    def purchase(
        self,
        body: t.BuyAirtime,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Send airtime to a phone. `POST /v4/airtime/purchase`"""
        return self._client.call(
            "POST",
            "/v4/airtime/purchase",
            body=body,
            dry_run=dry_run,
            **options,
        )


class Banks(Resource):
    def list(
        self,
        query: Optional[t.ListBanksQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Bank, t.BankList]:
        """List the banks that money can be sent to, by code. `GET /v4/banks`"""
        return self._client.pages("/v4/banks", query, options)

    def resolve(
        self,
        body: t.ResolveAccount,
        **options: Unpack[CallOptions],
    ) -> t.BankResolution:
        """Ask a bank whose account it is, before paying. `POST /v4/banks/resolve`"""
        answer: t.BankResolution = self._client.call(
            "POST",
            "/v4/banks/resolve",
            body=body,
            **options,
        )
        return answer


class Batches(Resource):
    def list(
        self,
        query: Optional[t.ListBatchesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Batch, t.BatchList]:
        """List batches, newest first. `GET /v4/batches`"""
        return self._client.pages("/v4/batches", query, options)

    def create(
        self,
        body: t.CreateBatch,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> t.Batch:
        """Place up to 10,000 orders at once. `POST /v4/batches`"""
        answer: t.Batch = self._client.call(
            "POST",
            "/v4/batches",
            body=body,
            dry_run=dry_run,
            **options,
        )
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Batch:
        """Fetch a batch. `GET /v4/batches/{id}`"""
        answer: t.Batch = self._client.call("GET", f"/v4/batches/{part(id)}", **options)
        return answer

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> t.Batch:
        """Begin no further row of a batch, for good. `POST /v4/batches/{id}/cancel`"""
        answer: t.Batch = self._client.call(
            "POST",
            f"/v4/batches/{part(id)}/cancel",
            **options,
        )
        return answer

    def list_items(
        self,
        id: str,
        query: Optional[t.ListBatchItemsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.BatchItem, t.BatchItemList]:
        """List the rows of a batch, in their order. `GET /v4/batches/{id}/items`"""
        return self._client.pages(f"/v4/batches/{part(id)}/items", query, options)

    def pause(self, id: str, **options: Unpack[CallOptions]) -> t.Batch:
        """Begin no further row until the batch is resumed. `POST
        /v4/batches/{id}/pause`
        """
        answer: t.Batch = self._client.call(
            "POST",
            f"/v4/batches/{part(id)}/pause",
            **options,
        )
        return answer

    def resume(self, id: str, **options: Unpack[CallOptions]) -> t.Batch:
        """Go on with a batch that was paused. `POST /v4/batches/{id}/resume`"""
        answer: t.Batch = self._client.call(
            "POST",
            f"/v4/batches/{part(id)}/resume",
            **options,
        )
        return answer


class Beneficiaries(Resource):
    def list(
        self,
        query: Optional[t.ListBeneficiariesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Beneficiary, t.BeneficiaryList]:
        """List beneficiaries, newest first. `GET /v4/beneficiaries`"""
        return self._client.pages("/v4/beneficiaries", query, options)

    def create(
        self,
        body: t.CreateBeneficiary,
        **options: Unpack[CallOptions],
    ) -> t.Beneficiary:
        """Keep somebody whom you pay again and again. `POST /v4/beneficiaries`"""
        answer: t.Beneficiary = self._client.call(
            "POST",
            "/v4/beneficiaries",
            body=body,
            **options,
        )
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Beneficiary:
        """Fetch a beneficiary. `GET /v4/beneficiaries/{id}`"""
        answer: t.Beneficiary = self._client.call(
            "GET",
            f"/v4/beneficiaries/{part(id)}",
            **options,
        )
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateBeneficiary,
        **options: Unpack[CallOptions],
    ) -> t.Beneficiary:
        """Change the label or metadata of a beneficiary. `PATCH /v4/beneficiaries/{id}`
        """
        answer: t.Beneficiary = self._client.call(
            "PATCH",
            f"/v4/beneficiaries/{part(id)}",
            body=body,
            **options,
        )
        return answer

    def delete(self, id: str, **options: Unpack[CallOptions]) -> t.Beneficiary:
        """Delete a beneficiary: nothing is paid to it any more. `DELETE
        /v4/beneficiaries/{id}`
        """
        answer: t.Beneficiary = self._client.call(
            "DELETE",
            f"/v4/beneficiaries/{part(id)}",
            **options,
        )
        return answer


class Bills(Resource):
    def list_billers(
        self,
        query: Optional[t.ListBillersQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Biller, t.BillerList]:
        """List billers by their codes. `GET /v4/bills/billers`"""
        return self._client.pages("/v4/bills/billers", query, options)

    def list_biller_items(
        self,
        code: str,
        query: Optional[t.ListBillerItemsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.BillerItem, t.BillerItemList]:
        """List what a biller sells. `GET /v4/bills/billers/{code}/items`"""
        return self._client.pages(
            f"/v4/bills/billers/{part(code)}/items",
            query,
            options,
        )

    def list_categories(self, **options: Unpack[CallOptions]) -> t.BillCategoryList:
        """List the categories of billers. `GET /v4/bills/categories`"""
        answer: t.BillCategoryList = self._client.call(
            "GET",
            "/v4/bills/categories",
            **options,
        )
        return answer

    @overload
    def pay(
        self,
        body: t.PayBill,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def pay(
        self,
        body: t.PayBill,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Transaction: ...

    def pay(
        self,
        body: t.PayBill,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Pay a bill, or buy a meter token, a package or PINs. `POST /v4/bills/pay`"""
        return self._client.call(
            "POST",
            "/v4/bills/pay",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def validate(
        self,
        body: t.ValidateCustomer,
        **options: Unpack[CallOptions],
    ) -> t.BillValidation:
        """Ask a biller who a customer is, before paying. `POST /v4/bills/validate`"""
        answer: t.BillValidation = self._client.call(
            "POST",
            "/v4/bills/validate",
            body=body,
            **options,
        )
        return answer


class CardTransactions(Resource):
    def create_dispute(
        self,
        id: str,
        body: t.CreateDispute,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> t.Dispute:
        """Dispute what was paid by card, or a part of it. `POST
        /v4/card-transactions/{id}/disputes`
        """
        answer: t.Dispute = self._client.call(
            "POST",
            f"/v4/card-transactions/{part(id)}/disputes",
            body=body,
            dry_run=dry_run,
            **options,
        )
        return answer


class Cards(Resource):
    def list(
        self,
        query: Optional[t.ListCardsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Card, t.CardList]:
        """List cards, newest first. `GET /v4/cards`"""
        return self._client.pages("/v4/cards", query, options)

    def get_authorization_endpoint(
        self,
        **options: Unpack[CallOptions],
    ) -> t.AuthorizationEndpoint:
        """Fetch the address that is asked about authorizations, and how it did. `GET
        /v4/cards/authorization-endpoint`
        """
        answer: t.AuthorizationEndpoint = self._client.call(
            "GET",
            "/v4/cards/authorization-endpoint",
            **options,
        )
        return answer

    def put_authorization_endpoint(
        self,
        body: t.PutAuthorizationEndpoint,
        **options: Unpack[CallOptions],
    ) -> t.AuthorizationEndpoint:
        """Decide about authorizations yourself: register the address that is asked, or
        change it. `PUT /v4/cards/authorization-endpoint`
        """
        answer: t.AuthorizationEndpoint = self._client.call(
            "PUT",
            "/v4/cards/authorization-endpoint",
            body=body,
            **options,
        )
        return answer

    def delete_authorization_endpoint(
        self,
        **options: Unpack[CallOptions],
    ) -> t.AuthorizationEndpoint:
        """Ask nobody about authorizations any more. `DELETE
        /v4/cards/authorization-endpoint`
        """
        answer: t.AuthorizationEndpoint = self._client.call(
            "DELETE",
            "/v4/cards/authorization-endpoint",
            **options,
        )
        return answer

    @overload
    def issue(
        self,
        body: t.IssueCard,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunCard: ...

    @overload
    def issue(
        self,
        body: t.IssueCard,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Card: ...

    def issue(
        self,
        body: t.IssueCard,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Issue a virtual card. `POST /v4/cards/issue`"""
        return self._client.call(
            "POST",
            "/v4/cards/issue",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Card:
        """Fetch a card and its balance. `GET /v4/cards/{id}`"""
        answer: t.Card = self._client.call("GET", f"/v4/cards/{part(id)}", **options)
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateCard,
        **options: Unpack[CallOptions],
    ) -> t.Card:
        """Change the label, metadata or spending controls of a card. `PATCH
        /v4/cards/{id}`
        """
        answer: t.Card = self._client.call(
            "PATCH",
            f"/v4/cards/{part(id)}",
            body=body,
            **options,
        )
        return answer

    def freeze(self, id: str, **options: Unpack[CallOptions]) -> t.Card:
        """Freeze a card: it declines everything until it is unfrozen. `POST
        /v4/cards/{id}/freeze`
        """
        answer: t.Card = self._client.call(
            "POST",
            f"/v4/cards/{part(id)}/freeze",
            **options,
        )
        return answer

    @overload
    def fund(
        self,
        id: str,
        body: t.FundCard,
        *,
        dry_run: Literal[True],
        **options: Unpack[CallOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def fund(
        self,
        id: str,
        body: t.FundCard,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[CallOptions],
    ) -> t.Transaction: ...

    def fund(
        self,
        id: str,
        body: t.FundCard,
        *,
        dry_run: bool = False,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Put money from a wallet onto a card. `POST /v4/cards/{id}/fund`"""
        return self._client.call(
            "POST",
            f"/v4/cards/{part(id)}/fund",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def reveal(self, id: str, **options: Unpack[CallOptions]) -> t.CardReveal:
        """Make a link that shows number, expiry and CVV of an active card once, within
        60 seconds. `POST /v4/cards/{id}/reveal`
        """
        answer: t.CardReveal = self._client.call(
            "POST",
            f"/v4/cards/{part(id)}/reveal",
            **options,
        )
        return answer

    def terminate(self, id: str, **options: Unpack[CallOptions]) -> t.Card:
        """End a card for good; what is on it goes back to the wallet that paid it.
        `POST /v4/cards/{id}/terminate`
        """
        answer: t.Card = self._client.call(
            "POST",
            f"/v4/cards/{part(id)}/terminate",
            **options,
        )
        return answer

    def list_transactions(
        self,
        id: str,
        query: Optional[t.ListCardTransactionsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.CardTransaction, t.CardTransactionList]:
        """List what happened on a card, newest first. `GET /v4/cards/{id}/transactions`
        """
        return self._client.pages(f"/v4/cards/{part(id)}/transactions", query, options)

    def list_transitions(
        self,
        id: str,
        query: Optional[t.ListCardTransitionsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.CardTransition, t.CardTransitionList]:
        """List every change of a card's state, with who did it and why, newest first.
        `GET /v4/cards/{id}/transitions`
        """
        return self._client.pages(f"/v4/cards/{part(id)}/transitions", query, options)

    def unfreeze(self, id: str, **options: Unpack[CallOptions]) -> t.Card:
        """Let a frozen card pay again. `POST /v4/cards/{id}/unfreeze`"""
        answer: t.Card = self._client.call(
            "POST",
            f"/v4/cards/{part(id)}/unfreeze",
            **options,
        )
        return answer

    @overload
    def withdraw(
        self,
        id: str,
        body: t.MoveCardMoney,
        *,
        dry_run: Literal[True],
        **options: Unpack[CallOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def withdraw(
        self,
        id: str,
        body: t.MoveCardMoney,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[CallOptions],
    ) -> t.Transaction: ...

    def withdraw(
        self,
        id: str,
        body: t.MoveCardMoney,
        *,
        dry_run: bool = False,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Take money from a card back into a wallet. `POST /v4/cards/{id}/withdraw`"""
        return self._client.call(
            "POST",
            f"/v4/cards/{part(id)}/withdraw",
            body=body,
            dry_run=dry_run,
            **options,
        )


class Conversions(Resource):
    def list(
        self,
        query: Optional[t.ListConversionsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Conversion, t.ConversionList]:
        """List conversions, newest first. `GET /v4/conversions`"""
        return self._client.pages("/v4/conversions", query, options)

    @overload
    def create(
        self,
        body: t.CreateConversion,
        *,
        dry_run: Literal[True],
        **options: Unpack[CallOptions],
    ) -> t.DryRunConversion: ...

    @overload
    def create(
        self,
        body: t.CreateConversion,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[CallOptions],
    ) -> t.Conversion: ...

    def create(
        self,
        body: t.CreateConversion,
        *,
        dry_run: bool = False,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Convert money between two of your wallets, as a quote says. `POST
        /v4/conversions`
        """
        return self._client.call(
            "POST",
            "/v4/conversions",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Conversion:
        """Fetch a conversion. `GET /v4/conversions/{id}`"""
        answer: t.Conversion = self._client.call(
            "GET",
            f"/v4/conversions/{part(id)}",
            **options,
        )
        return answer


class Customers(Resource):
    def list(
        self,
        query: Optional[t.ListCustomersQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Customer, t.CustomerList]:
        """List cardholders, newest first. `GET /v4/customers`"""
        return self._client.pages("/v4/customers", query, options)

    def create(
        self,
        body: t.CreateCustomer,
        **options: Unpack[CallOptions],
    ) -> t.Customer:
        """Register a cardholder. `POST /v4/customers`"""
        answer: t.Customer = self._client.call(
            "POST",
            "/v4/customers",
            body=body,
            **options,
        )
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Customer:
        """Fetch a cardholder. `GET /v4/customers/{id}`"""
        answer: t.Customer = self._client.call(
            "GET",
            f"/v4/customers/{part(id)}",
            **options,
        )
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateCustomer,
        **options: Unpack[CallOptions],
    ) -> t.Customer:
        """Change what is known of a cardholder. `PATCH /v4/customers/{id}`"""
        answer: t.Customer = self._client.call(
            "PATCH",
            f"/v4/customers/{part(id)}",
            body=body,
            **options,
        )
        return answer

    def verify(
        self,
        id: str,
        body: t.VerifyCustomer,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> t.Customer:
        """Find out whether a cardholder is who they say. `POST
        /v4/customers/{id}/verify`
        """
        answer: t.Customer = self._client.call(
            "POST",
            f"/v4/customers/{part(id)}/verify",
            body=body,
            dry_run=dry_run,
            **options,
        )
        return answer


class Data(Resource):
    def list_plans(
        self,
        query: Optional[t.ListDataPlansQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.DataPlan, t.DataPlanList]:
        """List the data plans on sale, by code. `GET /v4/data/plans`"""
        return self._client.pages("/v4/data/plans", query, options)

    @overload
    def purchase(
        self,
        body: t.BuyData,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def purchase(
        self,
        body: t.BuyData,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Transaction: ...

    def purchase(
        self,
        body: t.BuyData,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Send a data plan to a phone. `POST /v4/data/purchase`"""
        return self._client.call(
            "POST",
            "/v4/data/purchase",
            body=body,
            dry_run=dry_run,
            **options,
        )


class Deposits(Resource):
    def list(
        self,
        query: Optional[t.ListDepositsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Deposit, t.DepositList]:
        """List what arrived at virtual accounts, newest first. `GET /v4/deposits`"""
        return self._client.pages("/v4/deposits", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Deposit:
        """Fetch a deposit. `GET /v4/deposits/{id}`"""
        answer: t.Deposit = self._client.call(
            "GET",
            f"/v4/deposits/{part(id)}",
            **options,
        )
        return answer


class Disputes(Resource):
    def list(
        self,
        query: Optional[t.ListDisputesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Dispute, t.DisputeList]:
        """List disputes, newest first. `GET /v4/disputes`"""
        return self._client.pages("/v4/disputes", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Dispute:
        """Fetch a dispute. `GET /v4/disputes/{id}`"""
        answer: t.Dispute = self._client.call(
            "GET",
            f"/v4/disputes/{part(id)}",
            **options,
        )
        return answer

    def withdraw(self, id: str, **options: Unpack[WaitOptions]) -> t.Dispute:
        """Ask the issuer to let a dispute go. `POST /v4/disputes/{id}/withdraw`"""
        answer: t.Dispute = self._client.call(
            "POST",
            f"/v4/disputes/{part(id)}/withdraw",
            **options,
        )
        return answer


class Events(Resource):
    def list(
        self,
        query: Optional[t.ListEventsQuery] = None,
        **options: Unpack[WaitOptions],
    ) -> Pages[t.Event, t.EventList]:
        """List events, newest first, or follow them in the order of commits. `GET
        /v4/events`
        """
        return self._client.pages("/v4/events", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Event:
        """Fetch an event. `GET /v4/events/{id}`"""
        answer: t.Event = self._client.call("GET", f"/v4/events/{part(id)}", **options)
        return answer

    def list_deliveries(
        self,
        id: str,
        query: Optional[t.ListEventDeliveriesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.DeliveryDetails, t.DeliveryDetailsList]:
        """List the deliveries of an event to all webhook endpoints, newest first. `GET
        /v4/events/{id}/deliveries`
        """
        return self._client.pages(f"/v4/events/{part(id)}/deliveries", query, options)


class Idempotency(Resource):
    def get(self, key: str, **options: Unpack[CallOptions]) -> t.Resend:
        """What became of an idempotency key. `GET /v4/idempotency/{key}`"""
        answer: t.Resend = self._client.call(
            "GET",
            f"/v4/idempotency/{part(key)}",
            **options,
        )
        return answer


class Payouts(Resource):
    def list(
        self,
        query: Optional[t.ListPayoutsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Transaction, t.TransactionList]:
        """List payouts, newest first. `GET /v4/payouts`"""
        return self._client.pages("/v4/payouts", query, options)

    @overload
    def create(
        self,
        body: t.CreatePayout,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def create(
        self,
        body: t.CreatePayout,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Transaction: ...

    def create(
        self,
        body: t.CreatePayout,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Send money to a bank account. `POST /v4/payouts`"""
        return self._client.call(
            "POST",
            "/v4/payouts",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Transaction:
        """Fetch a payout by its id or by your reference. `GET /v4/payouts/{id}`"""
        answer: t.Transaction = self._client.call(
            "GET",
            f"/v4/payouts/{part(id)}",
            **options,
        )
        return answer


class Phone(Resource):
    def look_up(
        self,
        query: t.LookUpPhoneQuery,
        **options: Unpack[CallOptions],
    ) -> t.PhoneLookup:
        """Tell the network of a phone number. `GET /v4/phone/lookup`"""
        answer: t.PhoneLookup = self._client.call(
            "GET",
            "/v4/phone/lookup",
            query=query,
            **options,
        )
        return answer


class Quotes(Resource):
    def create(self, body: t.CreateQuote, **options: Unpack[CallOptions]) -> t.Quote:
        """Have the price of a conversion promised for a minute. `POST /v4/quotes`"""
        answer: t.Quote = self._client.call("POST", "/v4/quotes", body=body, **options)
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Quote:
        """Fetch a quote. `GET /v4/quotes/{id}`"""
        answer: t.Quote = self._client.call("GET", f"/v4/quotes/{part(id)}", **options)
        return answer


class Rates(Resource):
    def list(
        self,
        query: Optional[t.ListRatesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> t.RateList:
        """List what currencies are quoted at now. `GET /v4/rates`"""
        answer: t.RateList = self._client.call(
            "GET",
            "/v4/rates",
            query=query,
            **options,
        )
        return answer


class References(Resource):
    def get(self, reference: str, **options: Unpack[CallOptions]) -> t.Resend:
        """What became of a reference. `GET /v4/references/{reference}`"""
        answer: t.Resend = self._client.call(
            "GET",
            f"/v4/references/{part(reference)}",
            **options,
        )
        return answer


class Reports(Resource):
    def list(
        self,
        query: Optional[t.ListReportsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Report, t.ReportList]:
        """List reports, newest first. `GET /v4/reports`"""
        return self._client.pages("/v4/reports", query, options)

    def create(self, body: t.CreateReport, **options: Unpack[WaitOptions]) -> t.Report:
        """Have the lines of all wallets for a period made into a file. `POST
        /v4/reports`
        """
        answer: t.Report = self._client.call(
            "POST",
            "/v4/reports",
            body=body,
            **options,
        )
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Report:
        """Fetch a report. `GET /v4/reports/{id}`"""
        answer: t.Report = self._client.call(
            "GET",
            f"/v4/reports/{part(id)}",
            **options,
        )
        return answer

    def create_link(self, id: str, **options: Unpack[CallOptions]) -> t.ReportLink:
        """Make a link to the file of a report that is good for 15 minutes, without a
        key. `POST /v4/reports/{id}/link`
        """
        answer: t.ReportLink = self._client.call(
            "POST",
            f"/v4/reports/{part(id)}/link",
            **options,
        )
        return answer


class RequestLogs(Resource):
    def list(
        self,
        query: Optional[t.ListRequestLogsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.RequestLog, t.RequestLogList]:
        """List the requests of the account's keys, newest first. `GET /v4/request-logs`
        """
        return self._client.pages("/v4/request-logs", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.RequestLog:
        """Get a request of the log. `GET /v4/request-logs/{id}`"""
        answer: t.RequestLog = self._client.call(
            "GET",
            f"/v4/request-logs/{part(id)}",
            **options,
        )
        return answer


class Sandbox(Resource):
    def simulate_card_authentication(
        self,
        id: str,
        body: t.AuthenticateCard,
        **options: Unpack[CallOptions],
    ) -> t.CardAuthentication:
        """Have the card's issuer ask for a code of one time (3-D Secure). `POST
        /v4/sandbox/cards/{id}/authenticate`
        """
        answer: t.CardAuthentication = self._client.call(
            "POST",
            f"/v4/sandbox/cards/{part(id)}/authenticate",
            body=body,
            **options,
        )
        return answer

    def simulate_card_transaction(
        self,
        id: str,
        body: t.SimulateCard,
        **options: Unpack[CallOptions],
    ) -> t.CardTransaction:
        """Play the card network: authorize, clear, void, refund, decline or charge a
        fee. `POST /v4/sandbox/cards/{id}/simulate`
        """
        answer: t.CardTransaction = self._client.call(
            "POST",
            f"/v4/sandbox/cards/{part(id)}/simulate",
            body=body,
            **options,
        )
        return answer

    def get_clock(self, **options: Unpack[CallOptions]) -> t.SandboxClock:
        """Read the clock of your test mode. `GET /v4/sandbox/clock`"""
        answer: t.SandboxClock = self._client.call(
            "GET",
            "/v4/sandbox/clock",
            **options,
        )
        return answer

    def advance_clock(
        self,
        body: t.AdvanceClock,
        **options: Unpack[CallOptions],
    ) -> t.SandboxClock:
        """Move the clock of your test mode forward, and do what became due. `POST
        /v4/sandbox/clock/advance`
        """
        answer: t.SandboxClock = self._client.call(
            "POST",
            "/v4/sandbox/clock/advance",
            body=body,
            **options,
        )
        return answer

    def trigger_event(
        self,
        body: t.TriggerEvent,
        **options: Unpack[CallOptions],
    ) -> t.Event:
        """Make an event of a type, about the newest thing of yours that it could be
        about; nothing else happens. `POST /v4/sandbox/events/trigger`
        """
        answer: t.Event = self._client.call(
            "POST",
            "/v4/sandbox/events/trigger",
            body=body,
            **options,
        )
        return answer

    def complete_payment(
        self,
        id: str,
        body: t.CompletePayment,
        **options: Unpack[CallOptions],
    ) -> t.Payment:
        """Decide what the gateway of a test payment says from now on, and have it call
        back. `POST /v4/sandbox/payments/{id}/complete`
        """
        answer: t.Payment = self._client.call(
            "POST",
            f"/v4/sandbox/payments/{part(id)}/complete",
            body=body,
            **options,
        )
        return answer

    def set_outage(
        self,
        body: t.SetOutage,
        **options: Unpack[CallOptions],
    ) -> t.SandboxOutage:
        """Make a test provider down, slow or flaky for your account, or well again.
        `POST /v4/sandbox/providers/outage`
        """
        answer: t.SandboxOutage = self._client.call(
            "POST",
            "/v4/sandbox/providers/outage",
            body=body,
            **options,
        )
        return answer

    def list_outages(self, **options: Unpack[CallOptions]) -> t.SandboxOutageList:
        """List the outages that last in your test mode. `GET
        /v4/sandbox/providers/outages`
        """
        answer: t.SandboxOutageList = self._client.call(
            "GET",
            "/v4/sandbox/providers/outages",
            **options,
        )
        return answer

    def reset(self, **options: Unpack[CallOptions]) -> t.SandboxReset:
        """Empty all test cards and wallets, end all outages and set the clock back;
        history stays. `POST /v4/sandbox/reset`
        """
        answer: t.SandboxReset = self._client.call(
            "POST",
            "/v4/sandbox/reset",
            **options,
        )
        return answer

    def list_scenarios(self, **options: Unpack[CallOptions]) -> t.SandboxScenarios:
        """List what phone numbers, customers, cardholders and the header
        X-Sandbox-Scenario do. `GET /v4/sandbox/scenarios`
        """
        answer: t.SandboxScenarios = self._client.call(
            "GET",
            "/v4/sandbox/scenarios",
            **options,
        )
        return answer

    def settle_transaction(
        self,
        id: str,
        body: t.SettleTransaction,
        **options: Unpack[CallOptions],
    ) -> t.Transaction:
        """Decide how a running test purchase ends, or take a successful one back. `POST
        /v4/sandbox/transactions/{id}/settle`
        """
        answer: t.Transaction = self._client.call(
            "POST",
            f"/v4/sandbox/transactions/{part(id)}/settle",
            body=body,
            **options,
        )
        return answer

    def deposit_into_virtual_account(
        self,
        id: str,
        body: t.PayVirtualAccount,
        **options: Unpack[CallOptions],
    ) -> t.SandboxTransfer:
        """Play a payer: transfer test money to a virtual account, and have its bank
        call back. `POST /v4/sandbox/virtual-accounts/{id}/deposit`
        """
        answer: t.SandboxTransfer = self._client.call(
            "POST",
            f"/v4/sandbox/virtual-accounts/{part(id)}/deposit",
            body=body,
            **options,
        )
        return answer

    @overload
    def credit_wallet(
        self,
        id: str,
        body: t.CreditWallet,
        *,
        dry_run: Literal[True],
        **options: Unpack[CallOptions],
    ) -> t.DryRunTransaction: ...

    @overload
    def credit_wallet(
        self,
        id: str,
        body: t.CreditWallet,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[CallOptions],
    ) -> t.Transaction: ...

    def credit_wallet(
        self,
        id: str,
        body: t.CreditWallet,
        *,
        dry_run: bool = False,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Put test money into a wallet. `POST /v4/sandbox/wallets/{id}/credit`"""
        return self._client.call(
            "POST",
            f"/v4/sandbox/wallets/{part(id)}/credit",
            body=body,
            dry_run=dry_run,
            **options,
        )


class Transactions(Resource):
    def list(
        self,
        query: Optional[t.ListTransactionsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Transaction, t.TransactionList]:
        """List transactions, newest first. `GET /v4/transactions`"""
        return self._client.pages("/v4/transactions", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.Transaction:
        """Fetch a transaction by its id or by your reference; with its meter tokens and
        PINs for a key with the scope tokens:reveal. `GET /v4/transactions/{id}`
        """
        answer: t.Transaction = self._client.call(
            "GET",
            f"/v4/transactions/{part(id)}",
            **options,
        )
        return answer

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> t.Transaction:
        """Cancel a purchase, a payout or a refund that nobody was asked for yet. `POST
        /v4/transactions/{id}/cancel`
        """
        answer: t.Transaction = self._client.call(
            "POST",
            f"/v4/transactions/{part(id)}/cancel",
            **options,
        )
        return answer

    def requery(self, id: str, **options: Unpack[CallOptions]) -> t.Transaction:
        """Ask the provider now what became of a running purchase or payout. `POST
        /v4/transactions/{id}/requery`
        """
        answer: t.Transaction = self._client.call(
            "POST",
            f"/v4/transactions/{part(id)}/requery",
            **options,
        )
        return answer

    def get_timeline(self, id: str, **options: Unpack[CallOptions]) -> t.Timeline:
        """Fetch what happened to a transaction, oldest first. `GET
        /v4/transactions/{id}/timeline`
        """
        answer: t.Timeline = self._client.call(
            "GET",
            f"/v4/transactions/{part(id)}/timeline",
            **options,
        )
        return answer


class VirtualAccounts(Resource):
    def list(
        self,
        query: Optional[t.ListVirtualAccountsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.VirtualAccount, t.VirtualAccountList]:
        """List virtual accounts, newest first. `GET /v4/virtual-accounts`"""
        return self._client.pages("/v4/virtual-accounts", query, options)

    def create(
        self,
        body: t.CreateVirtualAccount,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> t.VirtualAccount:
        """Open an account number: what is transferred to it is credited to a wallet.
        `POST /v4/virtual-accounts`
        """
        answer: t.VirtualAccount = self._client.call(
            "POST",
            "/v4/virtual-accounts",
            body=body,
            dry_run=dry_run,
            **options,
        )
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.VirtualAccount:
        """Fetch a virtual account. `GET /v4/virtual-accounts/{id}`"""
        answer: t.VirtualAccount = self._client.call(
            "GET",
            f"/v4/virtual-accounts/{part(id)}",
            **options,
        )
        return answer

    def close(self, id: str, **options: Unpack[CallOptions]) -> t.VirtualAccount:
        """Close a virtual account; what arrives all the same is held for a person.
        `POST /v4/virtual-accounts/{id}/close`
        """
        answer: t.VirtualAccount = self._client.call(
            "POST",
            f"/v4/virtual-accounts/{part(id)}/close",
            **options,
        )
        return answer


class Wallets(Resource):
    def list(
        self,
        query: Optional[t.ListWalletsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Wallet, t.WalletList]:
        """List wallets, newest first. `GET /v4/wallets`"""
        return self._client.pages("/v4/wallets", query, options)

    def create(self, body: t.CreateWallet, **options: Unpack[CallOptions]) -> t.Wallet:
        """Create a wallet. `POST /v4/wallets`"""
        answer: t.Wallet = self._client.call(
            "POST",
            "/v4/wallets",
            body=body,
            **options,
        )
        return answer

    @overload
    def transfer(
        self,
        body: t.CreateTransfer,
        *,
        dry_run: Literal[True],
        **options: Unpack[WaitOptions],
    ) -> t.DryRunTransfer: ...

    @overload
    def transfer(
        self,
        body: t.CreateTransfer,
        *,
        dry_run: Literal[False] = False,
        **options: Unpack[WaitOptions],
    ) -> t.Transfer: ...

    def transfer(
        self,
        body: t.CreateTransfer,
        *,
        dry_run: bool = False,
        **options: Unpack[WaitOptions],
    ) -> Any:
        """Move money between two wallets. `POST /v4/wallets/transfer`"""
        return self._client.call(
            "POST",
            "/v4/wallets/transfer",
            body=body,
            dry_run=dry_run,
            **options,
        )

    def list_transfers(
        self,
        query: Optional[t.ListTransfersQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Transfer, t.TransferList]:
        """List the transfers that you made, newest first. `GET /v4/wallets/transfers`
        """
        return self._client.pages("/v4/wallets/transfers", query, options)

    def get_transfer(self, id: str, **options: Unpack[CallOptions]) -> t.Transfer:
        """Fetch a transfer. `GET /v4/wallets/transfers/{id}`"""
        answer: t.Transfer = self._client.call(
            "GET",
            f"/v4/wallets/transfers/{part(id)}",
            **options,
        )
        return answer

    def get(
        self,
        id: str,
        query: Optional[t.GetWalletQuery] = None,
        **options: Unpack[CallOptions],
    ) -> t.Wallet:
        """Fetch a wallet and its balance, now or at a moment. `GET /v4/wallets/{id}`"""
        answer: t.Wallet = self._client.call(
            "GET",
            f"/v4/wallets/{part(id)}",
            query=query,
            **options,
        )
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateWallet,
        **options: Unpack[CallOptions],
    ) -> t.Wallet:
        """Change the label, threshold or metadata of a wallet. `PATCH /v4/wallets/{id}`
        """
        answer: t.Wallet = self._client.call(
            "PATCH",
            f"/v4/wallets/{part(id)}",
            body=body,
            **options,
        )
        return answer

    def close(self, id: str, **options: Unpack[CallOptions]) -> t.Wallet:
        """Close an empty wallet for good. `POST /v4/wallets/{id}/close`"""
        answer: t.Wallet = self._client.call(
            "POST",
            f"/v4/wallets/{part(id)}/close",
            **options,
        )
        return answer

    def list_days(
        self,
        id: str,
        query: Optional[t.ListWalletDaysQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.WalletDay, t.WalletDayList]:
        """List the closed days of a wallet, newest first. `GET /v4/wallets/{id}/days`
        """
        return self._client.pages(f"/v4/wallets/{part(id)}/days", query, options)

    def list_entries(
        self,
        id: str,
        query: Optional[t.ListWalletEntriesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.Entry, t.EntryList]:
        """List the ledger entries of a wallet, newest first. `GET
        /v4/wallets/{id}/entries`
        """
        return self._client.pages(f"/v4/wallets/{part(id)}/entries", query, options)

    def freeze(
        self,
        id: str,
        body: t.FreezeWallet,
        **options: Unpack[CallOptions],
    ) -> t.Wallet:
        """Freeze a wallet: it does not pay, takes no money, or neither, until it is
        unfrozen or a moment. `POST /v4/wallets/{id}/freeze`
        """
        answer: t.Wallet = self._client.call(
            "POST",
            f"/v4/wallets/{part(id)}/freeze",
            body=body,
            **options,
        )
        return answer

    def list_holds(self, id: str, **options: Unpack[CallOptions]) -> t.HoldList:
        """Show what of a wallet is held, and by what. `GET /v4/wallets/{id}/holds`"""
        answer: t.HoldList = self._client.call(
            "GET",
            f"/v4/wallets/{part(id)}/holds",
            **options,
        )
        return answer

    def get_statement(
        self,
        id: str,
        query: Optional[t.GetWalletStatementQuery] = None,
        **options: Unpack[CallOptions],
    ) -> t.Statement:
        """Fetch the statement of a wallet for a period, as JSON, CSV or PDF. `GET
        /v4/wallets/{id}/statement`
        """
        answer: t.Statement = self._client.call(
            "GET",
            f"/v4/wallets/{part(id)}/statement",
            query=query,
            **options,
        )
        return answer

    def unfreeze(self, id: str, **options: Unpack[CallOptions]) -> t.Wallet:
        """Let money move in and out of a frozen wallet again. `POST
        /v4/wallets/{id}/unfreeze`
        """
        answer: t.Wallet = self._client.call(
            "POST",
            f"/v4/wallets/{part(id)}/unfreeze",
            **options,
        )
        return answer


class Webhooks(Resource):
    def list(
        self,
        query: Optional[t.ListWebhookEndpointsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.WebhookEndpoint, t.WebhookEndpointList]:
        """List webhook endpoints, newest first. `GET /v4/webhooks`"""
        return self._client.pages("/v4/webhooks", query, options)

    def create(
        self,
        body: t.CreateWebhookEndpoint,
        **options: Unpack[CallOptions],
    ) -> t.NewWebhookEndpoint:
        """Register an address that is told of events. `POST /v4/webhooks`"""
        answer: t.NewWebhookEndpoint = self._client.call(
            "POST",
            "/v4/webhooks",
            body=body,
            **options,
        )
        return answer

    def get_delivery(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> t.DeliveryDetails:
        """Fetch a delivery and its attempts. `GET /v4/webhooks/deliveries/{id}`"""
        answer: t.DeliveryDetails = self._client.call(
            "GET",
            f"/v4/webhooks/deliveries/{part(id)}",
            **options,
        )
        return answer

    def retry_delivery(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> t.DeliveryDetails:
        """Send the event of a delivery to its webhook endpoint again, at once. `POST
        /v4/webhooks/deliveries/{id}/retry`
        """
        answer: t.DeliveryDetails = self._client.call(
            "POST",
            f"/v4/webhooks/deliveries/{part(id)}/retry",
            **options,
        )
        return answer

    def get(self, id: str, **options: Unpack[CallOptions]) -> t.WebhookEndpoint:
        """Fetch a webhook endpoint. `GET /v4/webhooks/{id}`"""
        answer: t.WebhookEndpoint = self._client.call(
            "GET",
            f"/v4/webhooks/{part(id)}",
            **options,
        )
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateWebhookEndpoint,
        **options: Unpack[CallOptions],
    ) -> t.WebhookEndpoint:
        """Change a webhook endpoint. `PATCH /v4/webhooks/{id}`"""
        answer: t.WebhookEndpoint = self._client.call(
            "PATCH",
            f"/v4/webhooks/{part(id)}",
            body=body,
            **options,
        )
        return answer

    def delete(self, id: str, **options: Unpack[CallOptions]) -> t.WebhookEndpoint:
        """Delete a webhook endpoint for good. `DELETE /v4/webhooks/{id}`"""
        answer: t.WebhookEndpoint = self._client.call(
            "DELETE",
            f"/v4/webhooks/{part(id)}",
            **options,
        )
        return answer

    def list_deliveries(
        self,
        id: str,
        query: Optional[t.ListWebhookDeliveriesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Pages[t.WebhookDelivery, t.WebhookDeliveryList]:
        """List the deliveries to a webhook endpoint, newest first. `GET
        /v4/webhooks/{id}/deliveries`
        """
        return self._client.pages(f"/v4/webhooks/{part(id)}/deliveries", query, options)

    def disable(self, id: str, **options: Unpack[CallOptions]) -> t.WebhookEndpoint:
        """Send nothing but replays and tests to a webhook endpoint. `POST
        /v4/webhooks/{id}/disable`
        """
        answer: t.WebhookEndpoint = self._client.call(
            "POST",
            f"/v4/webhooks/{part(id)}/disable",
            **options,
        )
        return answer

    def enable(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> t.EnabledWebhookEndpoint:
        """Send to a disabled webhook endpoint again; tells what it missed. `POST
        /v4/webhooks/{id}/enable`
        """
        answer: t.EnabledWebhookEndpoint = self._client.call(
            "POST",
            f"/v4/webhooks/{part(id)}/enable",
            **options,
        )
        return answer

    def get_missed_events(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> t.WebhookMissed:
        """Count what a webhook endpoint did not get since it began to fail, or was
        disabled. `GET /v4/webhooks/{id}/missed`
        """
        answer: t.WebhookMissed = self._client.call(
            "GET",
            f"/v4/webhooks/{part(id)}/missed",
            **options,
        )
        return answer

    def replay(
        self,
        id: str,
        body: t.ReplayEvents,
        *,
        dry_run: bool = False,
        **options: Unpack[CallOptions],
    ) -> t.WebhookReplay:
        """Send events of a time to a webhook endpoint again, also to a disabled one.
        `POST /v4/webhooks/{id}/replay`
        """
        answer: t.WebhookReplay = self._client.call(
            "POST",
            f"/v4/webhooks/{part(id)}/replay",
            body=body,
            dry_run=dry_run,
            **options,
        )
        return answer

    def rotate_secret(
        self,
        id: str,
        body: t.RotateSecret,
        **options: Unpack[CallOptions],
    ) -> t.NewWebhookEndpoint:
        """Give a webhook endpoint a new secret; both sign for a while. `POST
        /v4/webhooks/{id}/rotate-secret`
        """
        answer: t.NewWebhookEndpoint = self._client.call(
            "POST",
            f"/v4/webhooks/{part(id)}/rotate-secret",
            body=body,
            **options,
        )
        return answer

    def test(self, id: str, **options: Unpack[CallOptions]) -> t.DeliveryDetails:
        """Send an event `webhook_endpoint.test` to a webhook endpoint. `POST
        /v4/webhooks/{id}/test`
        """
        answer: t.DeliveryDetails = self._client.call(
            "POST",
            f"/v4/webhooks/{part(id)}/test",
            **options,
        )
        return answer


class Resources:
    """Every resource of the service."""

    def __init__(self, client: Client) -> None:
        self.payments = Payments(client)
        self.refunds = Refunds(client)
        self.account = Account(client)
        self.airtime = Airtime(client)
        self.banks = Banks(client)
        self.batches = Batches(client)
        self.beneficiaries = Beneficiaries(client)
        self.bills = Bills(client)
        self.card_transactions = CardTransactions(client)
        self.cards = Cards(client)
        self.conversions = Conversions(client)
        self.customers = Customers(client)
        self.data = Data(client)
        self.deposits = Deposits(client)
        self.disputes = Disputes(client)
        self.events = Events(client)
        self.idempotency = Idempotency(client)
        self.payouts = Payouts(client)
        self.phone = Phone(client)
        self.quotes = Quotes(client)
        self.rates = Rates(client)
        self.references = References(client)
        self.reports = Reports(client)
        self.request_logs = RequestLogs(client)
        self.sandbox = Sandbox(client)
        self.transactions = Transactions(client)
        self.virtual_accounts = VirtualAccounts(client)
        self.wallets = Wallets(client)
        self.webhooks = Webhooks(client)
