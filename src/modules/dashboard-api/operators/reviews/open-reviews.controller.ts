import { Controller, Get, Param, Query } from '@nestjs/common';
import { found } from '../../../../core/errors/domain-error';
import { decodeId } from '../../../../core/http/ids';
import { Pages } from '../../../../core/http/pages';
import { Me, Needs } from '../../people/sessions.guard';
import type { SignedIn } from '../../people/sessions.service';
import { OpenReviews } from './open-reviews.service';
import { ReviewEvidence } from './review-evidence.service';
import {
  type OpenReview,
  OpenReviewDto,
  OpenReviewsDto,
  ReviewEvidenceDto,
  ReviewExchangeDto,
  ReviewOwnerQuery,
  ReviewsQuery,
} from './reviews.dto';

const RESOURCES: readonly OpenReview['resource'][] = ['txn', 'pay', 'rfd', 'dep', 'crd', 'dsp', 'cus'];

/** What waits for a person, with what there is to decide by. */
@Needs('operator')
@Controller('dashboard/api/operators/open-reviews')
export class OpenReviewsController {
  constructor(
    private readonly open: OpenReviews,
    private readonly evidence: ReviewEvidence,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() me: SignedIn, @Query() query: ReviewsQuery): Promise<OpenReviewsDto> {
    const page = this.pages.open({ accountId: me.userId, livemode: true }, 'open_reviews', query);
    const [rows, counts] = await Promise.all([
      this.open.list(query, page.after?.[0] ?? null, page.take),
      this.open.counts(query),
    ]);
    const { data, next_cursor } = page.of(
      rows,
      (row) => OpenReviewDto.of(row, me.userId),
      ({ id }) => [id],
    );
    return { data, next_cursor, total: counts.reduce((sum, { count }) => sum + count, 0), counts };
  }

  @Get(':id')
  async get(
    @Me() me: SignedIn,
    @Param('id') publicId: string,
    @Query() { account_id: account, livemode }: ReviewOwnerQuery,
  ): Promise<ReviewEvidenceDto> {
    const accountId = found(decodeId('acct', account), 'account', '/account_id');
    const resource = found(
      RESOURCES.find((one) => publicId.startsWith(`${one}_`)),
      'review',
    );
    const id = found(decodeId(resource, publicId), 'review');
    const review = await this.open.require({ accountId, livemode, id }, resource);
    const [timeline, exchanges, lines] = await Promise.all([
      this.evidence.timelineOf(review),
      this.evidence.exchangesOf(review),
      this.evidence.statementLinesOf(review),
    ]);
    return {
      review: OpenReviewDto.of(review, me.userId),
      timeline,
      exchanges: exchanges.map(ReviewExchangeDto.of),
      statement_lines: lines,
    };
  }
}
