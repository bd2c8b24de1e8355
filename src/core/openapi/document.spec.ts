import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { Amount, PublicId } from '../http/fields';
import { Public, Scope } from '../http/route-markers';
import { describeApi, describeDashboard } from './document';
import type { OpenApiDocument } from './types';

class PayDto {
  @PublicId('wal') from_wallet: string;
  @Amount() amount: number;
}

class PaidDto {
  @ApiProperty({ type: String, nullable: true }) transaction_id: string | null;
  @ApiProperty() amount: number;
  @ApiProperty({ type: [String] }) notes: string[];
  @ApiProperty({ required: false }) ledger?: string;
}

@ApiTags('Samples')
@Controller('samples')
class SamplesController {
  @Post(':id/pay')
  @Scope('wallets:write')
  @ApiOperation({ operationId: 'pay_sample', summary: 'Pay' })
  @ApiCreatedResponse({ type: PaidDto })
  @ApiAcceptedResponse({ type: PaidDto })
  pay(@Param('id') id: string, @Body() body: PayDto) {
    return { id, body };
  }

  @Get('open')
  @Public()
  @ApiOperation({ operationId: 'open_sample', summary: 'Open?' })
  @ApiOkResponse({ type: PaidDto })
  open() {
    return {};
  }
}

@Controller('nameless')
class NamelessController {
  @Get()
  get() {
    return {};
  }
}

@Controller('dashboard/api/pages')
class PagesController {
  @Get(':id')
  @ApiOkResponse({ type: PaidDto })
  get(@Param('id') id: string) {
    return { id };
  }
}

const preview = async (controller: new () => object): Promise<OpenApiDocument> => {
  class Sample {}
  Module({ controllers: [controller] })(Sample);
  return describeApi(await NestFactory.create(Sample, new FastifyAdapter(), { preview: true, logger: false }));
};

const LIMITED = ['Request-Id', 'RateLimit', 'RateLimit-Policy'];

describe('an operation that moves money', () => {
  let document: OpenApiDocument;

  beforeAll(async () => {
    document = await preview(SamplesController);
  });

  const pay = () => document.paths['/samples/{id}/pay']!.post!;

  it('names every failure that it can end with', () => {
    expect(Object.keys(pay().responses)).toEqual([
      '201',
      '202',
      '400',
      '401',
      '402',
      '403',
      '404',
      '408',
      '409',
      '413',
      '415',
      '422',
      '429',
      '431',
      '500',
      '503',
      'default',
    ]);
  });

  it('takes an idempotency key, and a time to wait because it may answer 202', () => {
    expect(pay().parameters!.flatMap(({ $ref }) => $ref ?? [])).toEqual([
      '#/components/parameters/IdempotencyKey',
      '#/components/parameters/Prefer',
    ]);
    expect(Object.keys(pay().responses['201']!.headers!)).toEqual([
      ...LIMITED,
      'Idempotent-Replayed',
      'Preference-Applied',
    ]);
  });

  it('says which scope it needs', () => {
    expect(pay()['x-required-scope']).toBe('wallets:write');
    expect(pay().description).toContain('`wallets:write`');
  });

  it('refuses unknown fields and shows an example of the rest', () => {
    expect(document.components.schemas.Pay!.additionalProperties).toBe(false);
    expect(pay().requestBody!.content['application/json']!.example).toEqual({
      from_wallet: 'wal_01kabcdefghjkmnpqrstvwxyz0',
      amount: 105_000,
    });
  });

  it('limits what its answer leaves open, and shows what is always there', () => {
    const { transaction_id: id, amount, notes } = document.components.schemas.Paid!.properties!;
    expect(id).toMatchObject({ type: ['string', 'null'], maxLength: 1024 });
    expect(amount).toMatchObject({ type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER });
    expect(notes).toMatchObject({ maxItems: 1000, items: { maxLength: 1024 } });
    expect(pay().responses['201']!.content!['application/json']!.example).toEqual({
      transaction_id: 'txn_01kabcdefghjkmnpqrstvwxyz0',
      amount: 105_000,
      notes: ['text'],
    });
  });

  it('an open one asks for no key and counts against no limit', () => {
    const { security, responses, description, 'x-public': marker } = document.paths['/samples/open']!.get!;
    expect({ security, description, marker }).toEqual({ security: [{}], description: 'Open?', marker: undefined });
    expect(Object.keys(responses['200']!.headers!)).toEqual(['Request-Id']);
    expect(Object.keys(responses)).toEqual(['200', '400', '408', '431', '500', '503', 'default']);
  });
});

it('refuses an operation without a name of its own', async () => {
  await expect(preview(NamelessController)).rejects.toThrow('get /nameless has no operationId of its own');
});

it("keeps the dashboard's own routes out of the public document, in one of their own", async () => {
  class Dashboard {}
  Module({ controllers: [PagesController] })(Dashboard);
  class Sample {}
  Module({ imports: [Dashboard], controllers: [SamplesController] })(Sample);
  const app = await NestFactory.create(Sample, new FastifyAdapter(), { preview: true, logger: false });
  expect(Object.keys(describeApi(app).paths)).toEqual(['/samples/open', '/samples/{id}/pay']);
  const { paths, components } = describeDashboard(app);
  expect([Object.keys(paths), Object.keys(components.schemas)]).toEqual([['/pages/{id}'], ['Paid']]);
});
