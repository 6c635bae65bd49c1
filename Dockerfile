# Rounds as it is deployed: JavaScript and the console built from the sources, the packages that serving needs, and the
# migrations, laid out as in a clone. test/deploy-image.test.ts carries out these very steps, so keep to COPY, RUN and WORKDIR with paths from
# the stage's own directory.   docker build --tag rounds .
#
# For builds that repeat to the byte, name the image by digest:  --build-arg NODE_IMAGE=node:24.22.1-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.22.1-bookworm-slim

# Both stages run on the machine that builds, whatever the image is for: what they leave is the same for every platform (a test
# holds the packages to it), so an image for arm64 needs no emulation.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY tools ./tools
COPY clients/typescript/src ./clients/typescript/src
COPY clients/console ./clients/console
RUN npm run build

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /packages/node_modules ./node_modules
COPY package.json LICENSE NOTICE ./
COPY migrations ./migrations
# Without tools/: `rounds dev`, `rounds token` and `rounds simulate` need a clone.
COPY --from=build /build/dist/src ./src
# The console, which is served where CONSOLE_CLIENT_ID is set.
COPY --from=build /build/dist/console ./dist/console

# The image's user "node", by number: Kubernetes cannot tell from a name that it is not root.
USER 1000:1000
EXPOSE 8080 9090
# Whether the process answers, not whether it is ready: restarting does not bring a database back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 9090) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/cli.js"]
CMD ["serve"]
