import { Body, Controller, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { PurchaseTerms, type PurchaseTermsOfRequest, SandboxScenarioHeader } from '../purchases/purchase-request.dto';
import { isRunning } from '../purchases/running';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { TransactionDto } from '../transactions/transaction.dto';
import {
  BillDetailsDto,
  BillValidationDto,
  PayBillDto,
  toWantedBill,
  toNewValidation,
  ValidateCustomerDto,
} from './bills.dto';
import { BillsService } from './bills.service';
import { ValidationsService } from './validations.service';

const TRANSACTION = { schema: { $ref: getSchemaPath('TransactionDto') } };

@ApiTags('Bills')
@ApiExtraModels(BillDetailsDto)
@Scope('purchases:write')
@Controller('v4/bills')
export class BillsController {
  constructor(
    private readonly bills: BillsService,
    private readonly validations: ValidationsService,
    private readonly transactions: TransactionResources,
  ) {}

  @Post('validate')
  @ApiOperation({ operationId: 'validate_bill_customer', summary: 'Ask a biller who a customer is, before paying' })
  @ApiCreatedResponse({ type: BillValidationDto, description: 'The biller knows the customer.' })
  async validate(
    @CurrentCaller() caller: Caller,
    @Body() dto: ValidateCustomerDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<BillValidationDto> {
    const { made, replayedBy } = await this.validations.validate(caller, toNewValidation(dto), request);
    return answer(BillValidationDto.of(made), { replayedBy });
  }

  @Post('pay')
  @SandboxScenarioHeader()
  @ApiOperation({
    operationId: 'pay_bill',
    summary: 'Pay a bill, or buy a meter token, a package or PINs',
    description:
      'Pays a bill, or buys a meter token, a package or PINs. Tokens and PINs are whole in this answer ' +
      'for a key with the scope `tokens:reveal`, and masked for others',
  })
  @ApiCreatedResponse({ ...TRANSACTION, description: 'The purchase is final: look at its status.' })
  @ApiAcceptedResponse({ ...TRANSACTION, description: 'The purchase goes on.' })
  @ApiOkResponse({
    ...TRANSACTION,
    description: 'A dry run, or a reference that was used before with the same request.',
  })
  async pay(
    @CurrentCaller() caller: Caller,
    @Body() dto: PayBillDto,
    @PurchaseTerms() terms: PurchaseTermsOfRequest,
  ): Promise<object> {
    const order = toWantedBill(dto, terms);
    if (dto.dry_run) return answer(TransactionDto.ofPreview(await this.bills.preview(caller, order)), { dryRun: true });
    const { made, replayedBy } = await this.bills.pay(caller, order, terms.claim);
    return answer(this.transactions.shownTo(caller, made), {
      replayedBy,
      running: isRunning(made.status),
      waitedFor: terms.preferredWait,
    });
  }
}
