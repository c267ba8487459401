# Two stages on Debian 12: build, then a small image with the two binaries and their libraries.
# Every step is a call of deploy/image, so that it can be tried without a container engine.
FROM debian:12 AS build
# What `curlewd --version` shows: docker build --build-arg CURLEW_BUILD="$(git rev-parse --short=12 HEAD)"
ARG CURLEW_BUILD=
COPY . /src
WORKDIR /src
RUN deploy/image build && deploy/image stage /image

FROM debian:12-slim
COPY --from=build /image/ /
RUN deploy/image install && rm -r deploy scripts
USER curlew
VOLUME /data
ENV CURLEW_DATA=/data CURLEW_LISTEN=0.0.0.0:9400
EXPOSE 9400
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD curlewctl --server "$CURLEW_LISTEN" health
ENTRYPOINT ["curlewd"]
