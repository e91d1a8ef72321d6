//! Encrypted connections: rustls, with as much trust in certificates as `sslmode` asks for.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

use super::url::{Roots, Target, Trust};
use crate::error::{Error, Result};

/// What makes connections to a target encrypted.
pub(super) fn connector(target: &Target) -> Result<Connector> {
    let provider = Arc::new(ring::default_provider());
    let (roots, trusted) = match target.trust {
        Trust::Anyone => (RootCertStore::empty(), Vec::new()),
        Trust::Authority | Trust::Host => authorities(target)?,
    };
    let judge = Judge {
        trust: target.trust,
        roots,
        trusted,
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has cipher suites for both versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(judge))
        .with_no_client_auth();
    Ok(Connector(Arc::new(config)))
}

/// The authorities that the target trusts.
fn authorities(target: &Target) -> Result<(RootCertStore, Vec<CertificateDer<'static>>)> {
    let refused = |reason: String, hint: &str| Error::Connect {
        place: target.place.clone(),
        reason,
        hint: hint.to_owned(),
    };
    let certificates: Vec<CertificateDer<'static>> = match &target.roots {
        Roots::System => rustls_native_certs::load_native_certs().certs,
        Roots::File(file) => {
            let shown = file.display();
            let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
            let read: Vec<_> = read.map_err(|error| {
                let reason = format!("cannot read the root certificates in `{shown}`: {error}");
                refused(reason, "; `sslrootcert` names a file in PEM form")
            })?;
            if read.is_empty() {
                let reason = format!("there is no certificate in `{shown}`");
                return Err(refused(reason, "; `sslrootcert` names a file in PEM form"));
            }
            read
        }
    };
    let mut roots = RootCertStore::empty();
    let (used, _) = roots.add_parsable_certificates(certificates.iter().cloned());
    if used == 0 {
        let reason = "no root certificate is there to check the server's by".to_owned();
        return Err(refused(reason, "; name a file of them by `sslrootcert`"));
    }
    Ok((roots, certificates))
}

/// Judges the server's certificate.
#[derive(Debug)]
struct Judge {
    trust: Trust,
    roots: RootCertStore,
    /// The certificates behind the roots, as bytes.
    trusted: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.trust == Trust::Anyone {
            return Ok(ServerCertVerified::assertion());
        }
        let certificate = ParsedCertificate::try_from(end_entity)?;
        let signed = verify_server_cert_signed_by_trust_anchor(
            &certificate,
            &self.roots,
            intermediates,
            now,
            self.provider.signature_verification_algorithms.all,
        );
        if let Err(error) = signed {
            // PostgreSQL's manual makes certificates that sign themselves; one that is trusted by
            // name needs no authority.
            let expired = matches!(
                error,
                rustls::Error::InvalidCertificate(
                    CertificateError::Expired
                        | CertificateError::ExpiredContext { .. }
                        | CertificateError::NotValidYet
                        | CertificateError::NotValidYetContext { .. }
                )
            );
            if expired || !self.trusted.iter().any(|trusted| trusted == end_entity) {
                return Err(error);
            }
        }
        if self.trust == Trust::Host {
            verify_server_name(&certificate, server_name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// Makes handshakes with hosts.
#[derive(Clone)]
pub(super) struct Connector(Arc<ClientConfig>);

/// A handshake about to begin with a host.
pub(super) struct Handshake {
    config: Arc<ClientConfig>,
    host: String,
}

/// A connection that is encrypted.
pub(super) struct Encrypted(tokio_rustls::client::TlsStream<Socket>);

impl fmt::Debug for Connector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Connector")
    }
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Handshake> {
        // Whether the name is one is asked in the handshake: connections that need none have no
        // name.
        Ok(Handshake {
            config: Arc::clone(&self.0),
            host: domain.to_owned(),
        })
    }
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        Box::pin(async move {
            let host = ServerName::try_from(self.host).map_err(io::Error::other)?;
            let connector = TlsConnector::from(self.config);
            connector.connect(host, stream).await.map(Encrypted)
        })
    }
}

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
