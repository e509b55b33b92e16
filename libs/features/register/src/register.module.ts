import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { FeatureSet, RegisterFields } from '#feature';
import { EventsController } from './http/events.controller.js';
import { PublicDataController } from './http/public-data.controller.js';
import { RegisterController } from './http/register.controller.js';
import { REGISTER_FIELDS, Registration } from './registration.js';

/** Registration of clients: queue and state. The composition root provides `StillReads` and `EventQueues`. */
@Module({})
export class RegisterModule {
  static with({ register }: FeatureSet): DynamicModule {
    return {
      module: RegisterModule,
      imports: [CqrsModule],
      controllers: [EventsController, PublicDataController, RegisterController],
      providers: [
        Registration,
        { provide: REGISTER_FIELDS, inject: [...register], useFactory: (...fields: RegisterFields[]) => fields },
      ],
    };
  }
}
