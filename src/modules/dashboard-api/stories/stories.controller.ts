import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ModeQuery } from '../overview/overview.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { receiptPdf } from './receipt-pdf';
import { StoriesService } from './stories.service';
import { ReceiptDto, StoryDto } from './story.dto';

/** What happened around an id. Which of it a role sees is for the service to say. */
@Needs('search')
@Controller('dashboard/api')
export class StoriesController {
  constructor(private readonly stories: StoriesService) {}

  /** Of any id: a transaction, a payment, a request, an event, a delivery… */
  @Get('stories/:id')
  story(@Me() me: SignedIn, @Param('id') id: string, @Query() { livemode }: ModeQuery): Promise<StoryDto> {
    return this.stories.of(me, id, livemode);
  }

  /** Of a transaction, a payment, a refund or a card transaction. */
  @Get('receipts/:id')
  receipt(@Me() me: SignedIn, @Param('id') id: string, @Query() { livemode }: ModeQuery): Promise<ReceiptDto> {
    return this.stories.receipt(me, id, livemode);
  }

  @Get('receipts/:id/pdf')
  @ApiOkResponse({ description: 'The receipt as application/pdf, without meter tokens and PINs.' })
  async pdf(@Me() me: SignedIn, @Param('id') id: string, @Query() { livemode }: ModeQuery): Promise<StreamableFile> {
    const receipt = await this.stories.receipt(me, id, livemode);
    return new StreamableFile(await receiptPdf(receipt), {
      type: 'application/pdf',
      disposition: `attachment; filename="${receipt.id}.pdf"`,
    });
  }
}
