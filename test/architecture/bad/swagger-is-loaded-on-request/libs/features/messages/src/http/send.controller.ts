import { ApiTags } from '@nestjs/swagger';

@ApiTags('messages')
export class SendController {}
