import {
  RotateWebhookSecretRequest,
  SendTestRequest,
  type Delivery,
  type DeliveryDetail,
  type DeliveryList,
  type RotatedWebhookSecret,
  type WebhookSecretState,
} from '@tire/contracts';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { JsonBody } from '../json-body.pipe';
import { IdPipe } from '../parameters';
import { CONSOLE_API, ConsoleAccess, SignedIn, type SignedInVisitor } from './door';
import { Page, PagePipe } from './page';
import { Webhooks } from './webhooks.service';

@Controller(`${CONSOLE_API}/projects/:project_id`)
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Get('webhook-secret')
  @ConsoleAccess('webhooks.read')
  secrets(@Param('project_id', IdPipe) projectId: string): Promise<WebhookSecretState> {
    return this.webhooks.secrets(projectId);
  }

  @Post('webhook-secret')
  @ConsoleAccess('webhooks.manage')
  rotate(
    @SignedIn() visitor: SignedInVisitor,
    @Param('project_id', IdPipe) projectId: string,
    @Body(new JsonBody(RotateWebhookSecretRequest)) { overlap_hours }: RotateWebhookSecretRequest,
  ): Promise<RotatedWebhookSecret> {
    return this.webhooks.rotate(visitor, projectId, overlap_hours);
  }

  @Get('deliveries')
  @ConsoleAccess('webhooks.read')
  list(
    @Param('project_id', IdPipe) projectId: string,
    @Query(PagePipe) page: Page,
    @Query() query: Record<string, unknown>,
  ): Promise<DeliveryList> {
    return this.webhooks.list(projectId, page, query);
  }

  @Post('deliveries/test')
  @HttpCode(202)
  @ConsoleAccess('webhooks.send')
  sendTest(
    @SignedIn() visitor: SignedInVisitor,
    @Param('project_id', IdPipe) projectId: string,
    @Body(new JsonBody(SendTestRequest)) { url }: SendTestRequest,
  ): Promise<Delivery> {
    return this.webhooks.sendTest(visitor, projectId, url);
  }

  @Get('deliveries/:callback_id')
  @ConsoleAccess('webhooks.read')
  one(@Param('project_id', IdPipe) projectId: string, @Param('callback_id', IdPipe) callbackId: string): Promise<DeliveryDetail> {
    return this.webhooks.one(projectId, callbackId);
  }

  @Post('deliveries/:callback_id/resend')
  @HttpCode(202)
  @ConsoleAccess('webhooks.send')
  resend(
    @SignedIn() visitor: SignedInVisitor,
    @Param('project_id', IdPipe) projectId: string,
    @Param('callback_id', IdPipe) callbackId: string,
  ): Promise<Delivery> {
    return this.webhooks.resend(visitor, projectId, callbackId);
  }
}
